"""What a query sees beside the tables of tables/: every sample, every repetition, every machine."""

from dataclasses import dataclass

from accelbench.analysis.rows import Row


@dataclass(frozen=True, kw_only=True)
class SampleRow(Row):
    """A sample of a case: seconds of one call of a kind of time, the mean of `loops` calls in a row."""

    machine: str
    case: str
    kind: str
    repetition: str
    round: int
    loops: int
    seconds: float

    @classmethod
    def rows(cls, analysis):
        return [row for case in analysis.cases for row in _samples(case)]


def _samples(case):
    for kind, timing in case.record.timings.items():
        taken = zip(case.record.repetitions, timing.rounds, timing.loops, timing.samples_s, strict=True)
        for repetition, rounds, loops, samples in taken:
            for number, seconds in zip(rounds, samples, strict=True):
                yield SampleRow(
                    machine=case.record.machine,
                    case=case.id,
                    kind=kind,
                    repetition=repetition,
                    round=number,
                    loops=loops,
                    seconds=seconds,
                )


@dataclass(frozen=True, kw_only=True)
class RepetitionRow(Row):
    """A repetition of a kernel: of which run, when that began, and what it ran on and by. Older results name no
    repetitions of a run: each run is one row there, without its name."""

    machine: str
    kernel: str
    repetition: str | None
    run: str
    started: str
    instance: str
    commit: str | None
    dirty: bool | None
    protocol_version: int

    @classmethod
    def rows(cls, analysis):
        return [
            cls(
                machine=analysis.machine.name,
                kernel=kernel,
                repetition=repetition,
                **{name: getattr(run, name) for name in cls.__dataclass_fields__ if hasattr(run, name)},
            )
            for kernel, run in analysis.results.runs
            for repetition in run.repetitions or [None]
        ]


@dataclass(frozen=True, kw_only=True)
class MachineRow(Row):
    """A machine, and when and by which commit it was last measured."""

    machine: str
    cpu: str
    cores: int
    memory_bytes: int
    virtualised: bool
    gpus: str
    driver: str | None
    os: str
    python: str
    identity: str
    last_run: str | None
    commit: str | None
    cases: int

    @classmethod
    def rows(cls, analysis):
        machine = analysis.machine
        latest = max((run for _, run in analysis.results.runs), key=lambda run: run.begin, default=None)
        return [
            cls(
                machine=machine.name,
                cpu=machine.cpu.model,
                cores=machine.cpu.available,
                memory_bytes=machine.memory_bytes,
                virtualised=machine.virtualised,
                gpus=", ".join(gpu.name for gpu in machine.gpus),
                driver=machine.driver,
                os=machine.os,
                python=machine.python,
                identity=machine.identity,
                last_run=latest and latest.started,
                commit=latest and latest.commit,
                cases=len(analysis.cases),
            )
        ]
