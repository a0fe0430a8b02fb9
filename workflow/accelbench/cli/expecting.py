"""What is expected of a run before it begins: how many cases, how long, how much of that on GPUs."""

import contextlib
import math
import sys
from functools import partial
from pathlib import Path
from typing import NamedTuple

from accelbench import toolchains
from accelbench.errors import InputError
from accelbench.lectures import entries, measurement, needs
from accelbench.machine import places
from accelbench.machine.description import describe
from accelbench.measure import expected, left, plan
from accelbench.model.entry import Again
from accelbench.model.watched import is_peak
from accelbench.store import load

DRY = {"-n", "--dry-run", "--dryrun"}
BUILD_S, BUILDS_S = 0.6, {"pythran": 12.0, "nanobind": 2.5, "f2py": 2.0}  # what one source takes on one core
JOB_S = 1.5  # a process of this package, whatever it does
REPORT_S, FIGURE_S = 10.0, 3.0  # tables and pages; drawing a figure of lectures


class ExpectedRun(NamedTuple):
    """`jobs`: {the file that each leaves behind: seconds}; `cases`: (machine, id) of each that lacks something;
    `by_journal`: whether earlier runs told of any."""

    jobs: dict[Path, float]
    cases: set[tuple[str, str]]
    seconds: float
    gpu_seconds: float
    by_journal: bool

    def __str__(self):
        if not self.cases:
            return "To measure: nothing, all cases have results that hold"
        source = "earlier runs on this machine" if self.by_journal else "the protocol, for want of earlier runs here"
        count = f"{len(self.cases)} case{'s' if len(self.cases) > 1 else ''}"
        gpu = f", {left.about(self.gpu_seconds)} of it on GPUs" if self.gpu_seconds else ""
        return f"To measure: {count}, {left.about(self.seconds)}{gpu} (by {source})"


class AskedRun(NamedTuple):
    """What a run is asked for.

    words      what Snakemake is told: where that is more than all, lecture or a dry run, nothing is known of it
    cores      a number, or "all"
    given      whether a file was given for the Config, which lectures are measured with, too, then
    forgotten  the Agains that a dry run's journals would forget; a run's own have forgotten by then
    """

    words: tuple[str, ...]
    cores: int | str
    given: bool
    forgotten: list[Again]


def tell(config, kernels, directory, *, asked):
    """Tell what is expected of a run of a Config in `directory`, on a terminal, and have its jobs tell what is left of
    it; of a dry run, tell it on any, and return it to be told once more in the end, below all that Snakemake says.

    kernels  {name: EffectiveConfig} of the sweep
    asked    the AskedRun
    """
    targets, looking = [word for word in asked.words if word not in DRY], bool(DRY.intersection(asked.words))
    here = all(machine.is_here for machine in config.machines.values())
    if targets not in ([], ["all"], ["lecture"]) or not here or not (looking or sys.stderr.isatty()):
        return ""
    lectures = targets == ["lecture"]
    with contextlib.suppress(InputError):  # the stage that comes upon it says so
        if lectures and not asked.given:
            config = needs.read_configuration(like=config)
        expected = expect(config, kernels, directory, lectures=lectures, cores=asked.cores, forgotten=asked.forgotten)
        if looking:
            print(expected, flush=True)
            return f"{expected}\n"
        print(expected, file=sys.stderr)
        left.write(Path(directory, "results", ".tmp", "expected.json"), expected.jobs)
    return ""


def expect(config, kernels, directory, *, lectures, cores, forgotten=()) -> ExpectedRun:
    """What is expected of a run that makes the report, or, with `lectures`, their figures; as if the journals had
    forgotten what the Agains `forgotten` tell of."""
    jobs, cases, measured = {}, set(), []
    for name in config.machines:
        home = Path(directory, "results", name)
        machine = _machine(config, name, home).limited_to(None if cores == "all" else int(cores))
        figures = _figures(config, machine) if lectures else []
        judging = [each for kernel, each in kernels.items() if not is_peak(kernel)]
        known_by = expected.journals(home, forgotten)
        repetitions = partial(
            expected.repetitions,
            machine=machine,
            known_by=known_by,
            pace=expected.pace_of(judging, machine, known_by),
        )
        found = _lectures(figures, home, repetitions) if lectures else _sweep(kernels, home, repetitions)
        jobs |= {path: JOB_S + job.seconds for path, job in found.items()}
        cases |= {(name, case) for job in found.values() for case in job.cases}
        measured += found.values()
        if found:
            builds = [part for _, parts in figures for part in parts] if lectures else kernels.values()
            jobs[home / "machine.json"] = _building_s(builds, home) / machine.cpu.available
            page = Path(directory, "reports", name, "lectures.html" if lectures else "index.html")
            jobs[page] = (
                REPORT_S + (FIGURE_S * len(found) if lectures else JOB_S * len(kernels)) / machine.cpu.available
            )
    seconds, gpu_seconds = math.fsum(jobs.values()), math.fsum(job.gpu_seconds for job in measured)
    return ExpectedRun(jobs, cases, seconds, gpu_seconds, any(job.by_journal for job in measured))


def _machine(config, name, home):
    """The Machine as it was described for its results; as it is where that says nothing of a backend, or there is
    none."""
    wanted = {("", backend) for backend in places.in_own_python(config.places)}
    wanted |= {(place.name, backend) for place in config.places.values() for backend in place.backends}
    if (home / "machine.json").exists() and wanted <= (described := load.read_machine(home)).found.keys():
        return described
    return describe(name, config)


def _sweep(kernels, home, repetitions):
    """{file: Expected} of the repetitions of a sweep that something is missing of."""
    found = {}
    for name, config in kernels.items():
        count = 1 if is_peak(name) else config.protocol.repetitions
        for number, job in repetitions(config, numbers=range(1, count + 1)).items():
            if job.cases:
                found[home / "repetitions" / name / f"{number}.json"] = job
    return found


def _lectures(figures, home, repetitions):
    """{file: Expected} of the lectures' figures; what two of them show, the first measures."""
    found, done = {}, set()
    for entry, parts in figures:
        total = expected.Expected()
        for part in parts:
            numbers = range(1, part.protocol.repetitions + 1)
            for number, job in repetitions(part, numbers=numbers, without=done).items():
                total += job
                done |= {(number, case) for case in job.cases}
        if total.cases:
            found[measurement.place(home, entry)] = total
    return found


def _figures(config, machine):
    """[(Entry, [EffectiveConfig of what of it is measured on a machine, ...]), ...] of the lectures' figures."""
    return [(entry, _parts(entry, config, machine)) for entry in entries.read().values()]


def _parts(entry, config, machine):
    """The EffectiveConfigs of what of a figure is measured on a machine."""
    here = [need for need in needs.of(entry, config) if need.part.needs != "gpu" or plan.has_gpu(machine)]
    return [need.config for need in here if need.config is not None]


def _building_s(configs, home):
    """Seconds that building takes on one core: of the sources of what is measured, those without a manifest."""
    sources = {
        (config.kernel.name, implementation.toolchain, implementation.name, source)
        for config in configs
        for implementation in config.implementations.values()
        if (toolchain := toolchains.modules().get(implementation.toolchain)) is not None
        and not (home / "build" / config.kernel.name / f"{implementation.toolchain}.json").exists()
        for source in toolchain.built(implementation)
    }
    return sum(BUILDS_S.get(toolchain, BUILD_S) for _, toolchain, _, _ in sources)
