"""What there is to choose among on a machine: for each problem every implementation on every device, at the best of its
parameters, with its time by where the data are."""

import math
import re
from dataclasses import dataclass, field

from accelbench.analysis import Analysis
from accelbench.analysis.analysis import Family
from accelbench.analysis.cases import PINNED, parameter_id
from accelbench.analysis.choices import Best, by_implementation, group_by
from accelbench.analysis.choosing import Field
from accelbench.analysis.samples import Samples
from accelbench.analysis.tables.startup import StartupRow
from accelbench.analysis.verdicts import find_winner
from accelbench.decide import remedies
from accelbench.model.metadata import ImplementationMetadata
from accelbench.statistics import median

RESIDENT, PAGEABLE, PAGE_LOCKED, KEPT = "resident", "pageable", "pinned", "kept"
# Where the data are, and the kind of time that says what a call takes then. Of KEPT it is worked out of two others.
KINDS = {RESIDENT: "throughput", PAGEABLE: "end_to_end", PAGE_LOCKED: PINNED}
ON_A_GPU = {
    PAGE_LOCKED: "from page-locked host memory and back (pinned)",
    PAGEABLE: "from ordinary host memory and back (pageable)",
    KEPT: "copied to the device once, for all calls (kept)",
    RESIDENT: "where they are needed already (resident)",
}
ON_CORES = {PAGEABLE: "in host arrays", RESIDENT: "in the form it needs already (resident)"}
DIGITS = 5  # two more than are shown

NO_VERDICT, FIRST, UNDETERMINED, SLOWER, IMPLAUSIBLE = range(5)  # how an implementation stands among the others
FLAGS = ("noisy", "in cache", "launch-bound", "not settled", "implausible", "one process")
SURE_WITHIN, UNSURE_BEYOND = 1.1, 1.5  # the ends of an interval, divided: of what is sure, of what is not
STRIP = 5  # samples of each repetition that are drawn
TONES = "".join(map(chr, range(35, 92)))  # a sample as a character: how far it is from the median, in SHADE
SHADE = 0.005
# Of what a compiler says of itself: its name, as it stands before its version.
COMPILER = re.compile(r"^.+?(?= \(| version | V?\d)")


@dataclass(frozen=True)
class Timed:
    """What a call takes with the data in one place.

    standing     FIRST, or why not
    sure         3 where nothing speaks against it, 1 where it scatters far or nothing says how far
    flags        bits of FLAGS
    speedup      over the baseline, paired
    of_peak      how near its kernel alone comes to what the machine can do
    parameters   that it is best with: "threads=2/block_size=64"
    clocks       of the processor, or the GPU it ran on, meanwhile, and what a call takes of energy, in words
    strip        samples as TONES, the repetitions apart by a space
    """

    seconds: float
    low: float | None
    high: float | None
    standing: int
    sure: int
    flags: int
    repetitions: int = 0
    speedup: float | None = None
    of_peak: float | None = None
    following: tuple[float | None, float | None] = (None, None)
    parameters: str = ""
    clocks: str = ""
    strip: str = ""


@dataclass(frozen=True)
class Candidate:
    """An implementation on a device. `device` is a short name, "" where it ran on the cores alone; `place` its name
    within ids of cases; `gpu` whether it is no part of the host; `compilers` built it before it ran."""

    name: str
    backend: str
    device: str
    place: str
    gpu: bool
    baseline: bool
    lines: int | None
    startup_s: float | None
    timed: dict[str, Timed]
    compilers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reported:
    """What is told of the fastest of several: of each repetition what the others find fastest of them."""

    seconds: float
    low: float | None
    high: float | None
    speedup: float | None


@dataclass(frozen=True)
class SizeChoices:
    """All Candidates for a problem, and what has no time there.

    fastest, on_gpu  {place: what is Reported of the fastest of all, of all on GPUs}
    """

    size: int
    candidates: list[Candidate]
    missing: list[remedies.Missing]
    fastest: dict[str, Reported] = field(default_factory=dict)
    on_gpu: dict[str, Reported] = field(default_factory=dict)


@dataclass(frozen=True)
class FamilyChoices:
    """A family's problems, the smallest first."""

    family: Family
    problems: list[SizeChoices]

    def at(self, size: int) -> SizeChoices:
        return next(problem for problem in self.problems if problem.size == size)


@dataclass(frozen=True)
class Choices:
    """Everything to choose among on a machine.

    places    {place of the data: what the page calls it}, the default first
    packages  {backend: what must be installed for it}
    """

    machine: str
    places: dict[str, str]
    families: list[FamilyChoices]
    packages: dict[str, str] = field(default_factory=dict)

    def of(self, kernel: str, dtype: str, options: str = "") -> FamilyChoices:
        wanted = (kernel, dtype, options)
        return next(f for f in self.families if (f.family.kernel, f.family.dtype, f.family.options) == wanted)


def gather(analysis: Analysis) -> Choices:
    """The Choices of a machine."""
    ranked = {place: _by_problem(analysis, kind) for place, kind in KINDS.items()}
    startup = {row.key: row.startup_s for row in analysis.table(StartupRow)}
    families = []
    for kernel in analysis.kernels:
        for family in analysis.families(kernel):
            sizes = sorted({row.size for row in remedies.rows_of(analysis, family)})
            problems = [_problem(analysis, family, size, ranked=ranked, startup=startup) for size in sizes]
            if any(problem.candidates for problem in problems):
                families.append(FamilyChoices(family, problems))
    packages = {name: ", ".join(about.versions) for name, about in analysis.machine.backends.items()}
    return Choices(analysis.machine.name, _places(analysis), families, packages)


def _places(analysis):
    if not analysis.gpus:
        return ON_CORES
    pinned = any(PINNED in case.record.timings for case in analysis.cases if case.ok)
    return {place: words for place, words in ON_A_GPU.items() if pinned or place != PAGE_LOCKED}


def _by_problem(analysis, kind):
    """{problem: {(implementation, device): (Best, its standing)}}."""
    found = {}
    for problem, bests in group_by(analysis.bests(kind, by_implementation), lambda best: best.case.problem).items():
        standing = _standing(bests, kind)
        found[problem] = {(b.case.record.implementation, b.case.record.device): (b, standing[b.case]) for b in bests}
    return found


def _standing(bests: list[Best], kind):
    """{case: its standing}; as tables.winners decides, of one more kind of time."""
    samples = {best.case: best.samples for best in bests if not best.case.implausible}
    first = bests[0].case
    baseline = first.baseline and first.baseline.samples(kind)
    devices = {case for case in samples if case.on_accelerator}

    def verdict(case, fastest):
        pool = fastest.pool(kind, case)
        return case.scatter.between(samples[case], samples[fastest], baseline, kind=pool).verdict

    won = find_winner(samples, Field(samples, baseline, devices).ranked, verdict)
    standing = {best.case: IMPLAUSIBLE if best.case.implausible else SLOWER for best in bests}
    unknown = samples if won.decision in ("one_process", "no_result") else won.incomparable
    return (
        standing
        | dict.fromkeys(won.tie, FIRST)
        | dict.fromkeys(won.undetermined, UNDETERMINED)
        | dict.fromkeys(unknown, NO_VERDICT)
    )


def _problem(analysis, family, size, *, ranked, startup):
    key = family.kernel, family.options, family.dtype, size
    timed = {}
    for place in KINDS:
        for who, (best, standing) in ranked[place].get(key, {}).items():
            timed.setdefault(who, []).append((place, best, standing))
    candidates = [_candidate(analysis, several, startup) for several in timed.values()]
    return SizeChoices(
        size,
        candidates,
        remedies.of_problem(analysis, family, size),
        fastest=_reported(analysis, key),
        on_gpu=_reported(analysis, key, on_gpus=True),
    )


def _reported(analysis, problem, *, on_gpus=False):
    """{place: what is Reported of the fastest for a problem}."""
    found = {}
    for place, kind in KINDS.items():
        if best := analysis.fastest(kind, on_gpus=on_gpus).get(problem):
            low, high = map(_short, best.interval or (None, None))
            found[place] = Reported(rounded(best.seconds), low, high, _short(best.speedup().ratio))
    return found


def _candidate(analysis, several, startup):
    (_, best, _), *_ = several
    record = best.case.record
    seconds = startup.get(StartupRow.key_of(best.case))
    cores = record.device in (None, "cpu")
    return Candidate(
        name=record.implementation,
        backend=record.backend,
        device="" if cores else analysis.short_devices[record.device],
        place=best.case.id.removesuffix(f"/{parameter_id(best.case)}").rpartition("/")[2],
        gpu=best.case.on_accelerator,
        baseline=best.case.is_baseline,
        lines=record.source_lines,
        startup_s=_short(seconds),
        timed={place: _timed(analysis, best, standing) for place, best, standing in several},
        compilers=_compilers(analysis, record),
    )


def _compilers(analysis, record):
    """The names of those that the host needs to build it; a device's driver has its own."""
    about = about_of(analysis, record.kernel, record.implementation)
    built = [artifact for artifact in about.build if artifact.outcome == "ok" and not artifact.device] if about else []
    named = (COMPILER.match(artifact.compiler) for artifact in built)
    return tuple(dict.fromkeys(found[0] for found in named if found))


def about_of(analysis: Analysis, kernel: str, implementation: str) -> ImplementationMetadata | None:
    """What is known of an implementation, of one in an environment what is known of it at home where it has none."""
    known = analysis.kernels[kernel].implementations
    return known.get(implementation) or known.get(implementation.partition("@")[0])


def _timed(analysis, best: Best, standing):
    case, record = best.case, best.case.record
    timing, speedup = case.timing(best.kind), best.speedup()
    assert timing is not None
    repetitions = len(best.samples)
    flags = (
        bool(record.noisy), bool(record.cache_resident), best.kind == KINDS[RESIDENT] and _is_launch_bound(case),
        not timing.converged, bool(case.implausible), repetitions < 2,
    )  # fmt: skip
    low, high = map(_short, best.interval or (None, None))
    return Timed(
        seconds=rounded(best.seconds),
        low=low,
        high=high,
        standing=standing,
        sure=_sure(low, high, flags),
        flags=sum(flag << bit for bit, flag in enumerate(flags)),
        repetitions=repetitions,
        speedup=_short(speedup.ratio),
        of_peak=_short(case.fraction_of_peak, 3),
        following=(_short(speedup.next_low, 3), _short(speedup.next_high, 3)),
        parameters=parameter_id(case),
        clocks=_clocks(analysis, case),
        strip=strip(best.samples),
    )


def _sure(low, high, flags):
    noisy, _, _, open_, implausible, alone = flags
    if implausible or alone or not low or high / low > UNSURE_BEYOND:
        return 1
    return 2 if noisy or open_ or high / low > SURE_WITHIN else 3


def _is_launch_bound(case):
    launch, seconds = case.seconds("launch"), case.seconds("throughput")
    return bool(launch and seconds and launch >= 0.8 * seconds)


def _clocks(analysis, case):
    """The lowest and the highest clock of its device that were seen at the ends of its repetitions, and its energy."""
    record = case.record
    states = [state for several in record.environment.system_state for state in several]
    if case.on_accelerator:
        own = _places_of(record.device, [gpu.name for gpu in analysis.machine.gpus])
        gpus = (gpu for state in states for place, gpu in enumerate(state.gpus) if not own or place in own)
        name, seen = "GPU", [mhz for gpu in gpus for mhz in gpu.sm_clock_mhz if mhz]
    else:
        name, seen = "cores", [mhz for state in states for mhz in state.frequency_mhz if mhz]
    ends = sorted({round(min(seen)), round(max(seen))}) if seen else []
    clocks = [f"{name} {' to '.join(map(str, ends))} MHz"] if ends else []
    return "; ".join([*clocks, *([f"{record.energy_j:.3g} J a call"] if record.energy_j else [])])


def _places_of(device, names):
    """Which of the GPUs with these names a device is; several where its name does not tell, none for one like a MIG."""
    name, _, number = device.partition(" #")
    own = [place for place, other in enumerate(names) if other == name]
    return own[int(number) - 1 : int(number)] if number else own


def strip(samples: Samples) -> str:
    """STRIP samples of each repetition as TONES, evenly from all, each as far from the median of all as it is."""
    centre = median([s for rounds in samples.values() for s in rounds.values()])
    middle, told = len(TONES) // 2, []
    for rounds in samples.values():
        taken = list(rounds.values())
        few = [taken[n * len(taken) // STRIP] for n in range(STRIP)] if len(taken) > STRIP else taken
        steps = (round(math.log(s / centre) / SHADE) for s in few)
        told.append("".join(TONES[max(0, min(2 * middle, middle + step))] for step in steps))
    return " ".join(told)


def rounded(value: float, digits=DIGITS) -> float:
    return float(f"{value:.{digits}g}")


def _short(value: float | None, digits=DIGITS) -> float | None:
    return None if value is None else rounded(value, digits)
