"""How long a sweep will take, before it has begun: by what this machine's journals say of earlier ones, and by the
protocol where they say nothing."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from accelbench.measure import plan
from accelbench.measure.keys import Keys, recipes
from accelbench.measure.todo import Todo
from accelbench.store.journal import KernelJournal

# By the protocol alone, in seconds: fitted to the sweeps and figures that are published of a machine with two cores and
# of one with sixteen and a GPU.
SAMPLED = 0.5  # of a case's budget
LONGEST = 0.016  # of the longest samples that the protocol allows, but in a smoke sweep
READY_S = 0.4  # a repetition, whatever it measures
WORKER_S, GPU_WORKER_S = 0.6, 4.0  # a worker, on one core; one that starts with a GPU, with nothing beside it
# What it takes more to start workers, of implementations whose names begin so, twice as long with a GPU.
STARTS_S = {"torch_compile": 13.0, "torch_": 1.5, "triton_": 3.0, "jax_": 0.8, "warp_": 1.6}
GB_S, FIRST_GB_S = 6.0, 2.0  # inputs and checks of so many bytes, on one core; and once, in the first repetition
ALIKE = ("budget_s", "min_rounds", "sample_s", "max_call_s", "long_call_s", "startup")  # of protocols whose times hold


def journals(results, forgotten=()):
    """A function giving a kernel's KernelJournal in results/<machine>/ by its name, read once, without what the Agains
    `forgotten` tell of."""

    @cache
    def read(kernel):
        journal = KernelJournal(results, kernel).read()
        for again in forgotten:
            journal.forget(again)
        return journal

    return read


@dataclass(frozen=True)
class Expected:
    """What a job is expected to measure: ids of cases, seconds, those of them on GPUs, and whether earlier runs tell of
    that."""

    cases: frozenset[str] = frozenset()
    seconds: float = 0.0
    gpu_seconds: float = 0.0
    by_journal: bool = False

    def __add__(self, other):
        return Expected(
            self.cases | other.cases,
            self.seconds + other.seconds,
            self.gpu_seconds + other.gpu_seconds,
            self.by_journal or other.by_journal,
        )


def repetitions(config, machine, known_by, *, numbers, without=frozenset(), pace=None):
    """{number: Expected} of a kernel's repetitions with these numbers.

    config    an EffectiveConfig
    machine   the Machine, limited to the cores that are to be used
    known_by  its `journals`
    without   {(number, id of a case)} that are measured by then
    pace      how many times as long as the protocol says what is in no journal will take, None where nothing tells
    """
    journal = known_by(config.kernel.name)
    missing = _Missing(config, machine, journal)
    known = seconds_per_case(journal.runs, config)
    expected = {}
    for number in numbers:
        cases = [case for case in missing.of(number) if (number, case.id) not in without]
        seconds = by_protocol(config, cases, cores=machine.cpu.available, first=number == 1)
        gpu = by_protocol(config, list(filter(on_gpu, cases)), cores=machine.cpu.available, first=number == 1)
        share = gpu / seconds if seconds else 0.0
        seconds = seconds * (pace or 1.0) if known is None else known * len(cases)
        by_journal = known is not None or pace is not None
        expected[number] = Expected(frozenset(c.id for c in cases), seconds, share * seconds, by_journal)
    return expected


def pace_of(configs, machine, known_by):
    """How many times as long as the protocol alone says earlier runs took here; None where there were none.

    configs  EffectiveConfigs of the kernels whose journals, by `known_by`, tell of that
    """
    took = said = 0.0
    for config in configs:
        known = seconds_per_case(known_by(config.kernel.name).runs, config)
        if known is None:
            continue
        cases = _planned(config, machine)
        for number in range(1, config.protocol.repetitions + 1):
            took += known * len(cases)
            said += by_protocol(config, cases, cores=machine.cpu.available, first=number == 1)
    return took / said if said else None


def on_gpu(case):
    """Whether a case has a GPU, which takes no number of threads."""
    return case.threads is None


def seconds_per_case(runs, config):
    """Seconds that a case took in a repetition, of the Measurings of a kernel whose protocol was like that of `config`;
    None where there was none."""
    wanted = config.protocol.model_dump(mode="json", include=set(ALIKE))
    like = [run for run in runs if run.cases and wanted.items() <= run.config.protocol.items()]
    cases = sum(run.cases for run in like)
    return sum(run.wall_s for run in like) / cases if cases else None


def by_protocol(config, cases, *, cores, first):
    """Seconds that a repetition, the `first` or a later one, will take to measure `cases`, by the protocol alone."""
    if not cases:
        return 0.0
    protocol = config.protocol
    workers = {case.worker for case in cases}
    gigabytes = sum(_bytes(config, case) for case in cases) / 1e9
    longest_s = min(protocol.max_call_s, protocol.long_call_s) * protocol.min_rounds
    may_be_long = 0 if config.config.preset == "smoke" else sum(not on_gpu(case) for case in cases)
    seconds = READY_S + SAMPLED * protocol.budget_s * len(cases) + LONGEST * longest_s * may_be_long
    seconds += (WORKER_S * len(workers) + GB_S * gigabytes) / cores
    seconds += sum(map(_start_s, {case.worker: case for case in cases}.values()))
    if first:
        alone = {case.worker for case in cases if on_gpu(case)} if protocol.startup else ()
        seconds += GPU_WORKER_S * len(alone) + FIRST_GB_S * gigabytes
    return seconds


def _start_s(case):
    found = (seconds for start, seconds in STARTS_S.items() if case.implementation.startswith(start))
    return next(found, 0.0) * (2 if on_gpu(case) else 1)


def _bytes(config, case):
    read, written, _ = config.kernel.cost(case.size, np.dtype(case.dtype).itemsize, case.options)
    return read + written


def _planned(config, machine):
    """The cases of a kernel that a machine can run."""
    return [case for case in plan.cases(config, machine) if case.verdict is None]


class _Missing:
    """What repetitions lack of a kernel's cases, by its KernelJournal. Of cases that are tuned by a sweep, whose keys
    want its results, anything that was measured counts."""

    def __init__(self, config, machine, journal):
        self._config, self._journal = config, journal
        self._planned = _planned(config, machine)
        key = Keys(config, machine, recipes(config)) if journal.paths else None
        self._keys = {case.id: key(case) for case in self._planned} if key else {}

    def of(self, number):
        if not self._keys:
            return self._planned
        tuned = {name for name, each in self._config.implementations.items() if each.tuned_by}
        todo = Todo(
            [case for case in self._planned if case.implementation not in tuned],
            self._keys,
            journal=self._journal,
            protocol=self._config.protocol,
            baselines=self._config.kernel.spec.all_baselines,
            number=number,
        )
        entries = [e for part in self._journal.parts for each in part.entries.values() for e in each]
        seen = {entry.case for entry in entries if entry.number == number}
        return [*todo.missing, *(c for c in self._planned if c.implementation in tuned and c.id not in seen)]
