"""Results of one figure: the file measured.json, the measured cases, the fastest of several cases, and ratios.

measured.json names the folders that contain the timings of the figure's parts. It also contains data other than
timings, which the figure's observing function collected. See the module `kinds`.
"""

import math
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import count
from pathlib import Path
from statistics import median_low
from typing import Annotated, Literal

from pydantic import BaseModel, Field
from scipy.special import stdtrit

from accelbench.analysis import choices, choosing, gathering, verdicts
from accelbench.analysis.cases import Case
from accelbench.analysis.priors import LEAST_FREEDOM
from accelbench.figures import style
from accelbench.lectures.entries import place
from accelbench.lectures.entries import read as read_entries
from accelbench.model import names, results
from accelbench.model.machine import Machine
from accelbench.store import formats, load

AGAIN = "Delete it and run again: make lecture"
NOTHING = "not measured"
IMPLAUSIBLE = "implausible: faster than this machine can be"


class MeasuredPart(BaseModel):
    """Content of measured.json about one part of a figure.

    folder    name of the part's results folder; None if the part was not measured
    missing   messages about what could not be measured
    left_out  {implementation: name of its environment} for environments that are not configured
    """

    kernel: str
    folder: Annotated[str, Field(pattern=f"^[0-9]{{1,3}}-{names.WORD}$")] | None
    missing: list[str]
    left_out: dict[
        Annotated[str, Field(pattern=f"^{names.WORD}$")], Annotated[str, Field(pattern=f"^{names.WORD}$")]
    ] = {}


class Measurement(BaseModel, extra="allow"):
    """Content of measured.json.

    Extra keys contain data other than timings, from the figure's observing function. `scatter` contains statistics of
    the variation between repetitions, for each kernel with at least two repetitions in the machine's journals.
    """

    schema_version: Literal[2]
    figure: str
    parts: list[MeasuredPart]
    scatter: list[dict[str, tuple[int, float, float]]] = []

    def folders(self):
        """Return the paths of the parts' results folders, relative to results/<machine>/."""
        return [Path("lectures", self.figure, part.folder) for part in self.parts if part.folder]


def read_measurement(home, entry):
    """Return the Measurement of a figure.

    Raise InputError if measured.json is missing, is damaged, or has another schema version.
    """
    return formats.read(Measurement, place(home, entry), AGAIN)


@dataclass(frozen=True)
class Value:
    """Time of a Case, or the reason why there is none.

    seconds  the time in seconds, or None
    kind     the kind of time
    reason   why `seconds` is None, in words
    best     the choosing.Best that contains the seconds and their interval; None for first_call, for printed times and
             for times of a profile
    """

    seconds: float | None = None
    case: Case | None = None
    kind: str = "compute"
    reason: str = NOTHING
    best: choosing.Best | None = None

    @property
    def interval(self):
        """Ends (low, high) of the 95 % confidence interval of the seconds; (None, None) if there is no interval."""
        return self.best.moderated if self.best else (None, None)


def fastest(cases, kind="compute"):
    """Return the Value of the fastest of some Cases. The module `choosing` defines which Case is the fastest.

    If no Case has a plausible time of this kind, the Value contains the reason.
    """
    timed = [case for case in cases if seconds_of(case, kind) is not None]
    # A computation is implausible if it exceeds the machine's peak rates (highest operations and bytes per second).
    # Launches have no such limit, so a launch time is never implausible.
    plausible = [case for case in timed if kind == "launch" or not case.implausible]
    if not plausible:
        reasons = [c.record.reason or c.record.outcome.replace("_", " ") for c in cases if not c.ok]
        unknown = "this kind of time was not measured" if cases else NOTHING
        return Value(kind=kind, reason=IMPLAUSIBLE if timed else next(iter(reasons), unknown))
    if kind == "first_call":
        return min((Value(seconds_of(case, kind), case, kind) for case in plausible), key=lambda value: value.seconds)
    best = choices.best_of(plausible, kind)
    return Value(best.seconds, best.case, kind, best=best)


def seconds_of(case, kind):
    """Return a case's time of this kind, in seconds; None if the case has no such time.

    In contrast to Case.seconds, this function accepts the kind first_call.
    """
    if kind == "first_call":
        return case.record.startup.first_call_s if case.ok and case.record.startup else None
    return case.seconds(kind)


def largest(cases):
    """Return the Cases at the largest problem size."""
    size = max((case.record.size for case in cases), default=None)
    return [case for case in cases if case.record.size == size]


@dataclass
class FigureResults:
    """Cases of all parts of a figure, and the figure's Measurement. `home` is the folder results/<machine>/."""

    home: Path
    measurement: Measurement
    machine: Machine
    kernels: dict = field(default_factory=dict)
    cases: list = field(default_factory=list)

    @property
    def missing(self):
        return [word for part in self.measurement.parts for word in part.missing]

    @property
    def left_out(self):
        """{implementation: message} for each implementation whose environment is not configured."""
        return {
            name: f"not measured without `environments: {{{home}: {{}}}}` in the configuration"
            for part in self.measurement.parts
            for name, home in part.left_out.items()
        }

    def observed(self, name, model):
        """Return data of the figure's observing function, as an instance of `model`.

        Return None if measured.json has no key `name`. Raise InputError if the data are damaged.

        name   key of the data in measured.json
        model  Pydantic model that validates the data
        """
        value, path = self.measurement.model_extra.get(name), self.home / "lectures" / self.measurement.figure
        return None if value is None else formats.typed(model, value, where=path / "measured.json", remedy=AGAIN)

    @property
    def gpus(self):
        """Names of the machine's GPUs, from the backend that finds the most GPUs."""
        return max(
            ([device.name for device in b.devices if not device.on_host] for b in self.machine.backends.values()),
            key=len,
        )

    @property
    def processes(self):
        """Minimum and median of the number of processes that measured a case.

        The number of processes differs between cases. For example, baselines are measured again if cases are added.
        """
        counts = [len(case.samples("compute")) for case in self.cases if case.ok] or [0]
        return min(counts), median_low(counts)

    def matching(self, implementation, *, options=None, threads=None, device=None, **equal):
        """Return the Cases that match all arguments, in the order of `cases`. The argument None matches every Case.

        implementation  name or pattern of implementations
        options         {option: value}; a Case may have further options
        threads         thread count, or "all"
        device          kind of device, "cpu" or "gpu"
        equal           values of other fields of a record: kernel, size, dtype
        """
        number = self.machine.cpu.available if threads == "all" else threads
        return [
            case
            for case in self.cases
            for record in [case.record]
            if fnmatchcase(record.implementation, implementation)
            and all(value in (None, getattr(record, name)) for name, value in equal.items())
            and (options or {}).items() <= record.options.items()
            and number in (None, record.threads)
            and (device is None or (device == "cpu") != case.on_accelerator)
        ]

    def ratio(self, slow, fast):
        """Return the Comparison with the speedup of the Value `fast` over the Value `slow`.

        The ratio is the quotient of the times. If both cases were measured in the same repetitions, the interval comes
        from ratios within each repetition. If one time has no case, because a lecture printed it, the interval comes
        from the repetitions of the other time. The ratio of a time to itself has the interval from 1 to 1. Other
        ratios, and ratios from a single repetition, have no interval.
        """
        if slow.seconds is None or fast.seconds is None:
            return verdicts.Comparison()
        plain = verdicts.Comparison(slow.seconds / fast.seconds)
        if slow.case is None or fast.case is None:
            ends = [value.interval if value.case else [value.seconds] * 2 for value in (slow, fast)]
            several = max((len(value.best.samples) for value in (slow, fast) if value.best), default=0) > 1
            return plain._replace(low=ends[0][0] / ends[1][1], high=ends[0][1] / ends[1][0]) if several else plain
        if slow.case is fast.case and slow.kind == fast.kind:
            return verdicts.ITSELF
        if "first_call" in (slow.kind, fast.kind):
            return plain
        paired = fast.case.scatter.compare(slow.best.samples, fast.best.samples, fast.case.pool(fast.kind, slow.case))
        return plain if paired.ratio is None else paired.around(plain.ratio, fast.case.scatter.same_within)

    def text(self, show, value, *ends):
        """Return a number as text. If the number's interval is too wide, return style.UNCERTAIN and a remedy instead.

        The remedy is an estimate of the number of repetitions that make the interval narrow enough.

        show  function from a number to its text
        ends  low and high end of the interval
        """
        if (text := style.certain(show, value, *ends)) != style.UNCERTAIN:
            return text

        def width(repetitions):
            return stdtrit(LEAST_FREEDOM + repetitions - 1, 0.975) / math.sqrt(repetitions)

        taken = max(2, self.processes[1])
        most = width(taken) * math.log(style.WIDEST) / math.log(ends[1] / ends[0])
        return f"{text} ({next(n for n in count(taken + 1) if width(n) <= most)} repetitions would help)"


def read(home, entry):
    """Return the FigureResults of a figure from results/<machine>/.

    If several parts contain the same case, keep only its copy with the most repetitions. Raise InputError if a result
    file is missing or damaged.
    """
    home = Path(home)
    load.check_folder(home)
    measurement = read_measurement(home, entry)
    kernels, cases = {}, {}
    for folder in measurement.folders():
        part_results = load.load_results(home / folder, home)
        kernels |= part_results.kernels
        for case in gathering.gather(part_results, moments=measurement.scatter):
            other = cases.setdefault(case.id, case)
            if len(case.samples("compute")) > len(other.samples("compute")):
                cases[case.id] = case
    return FigureResults(home, measurement, load.read_machine(home), kernels, list(cases.values()))


def contestants(home):
    """Return the Results in results/<machine>/ that compare versions of libraries (contestants).

    The sources are, in this order, the machine's sweeps and figures.yaml's figures that compare contestants. A
    kernel's results come from the first source with contestants of the kernel, or else from the last source with the
    kernel. Raise InputError if a result file is damaged.
    """
    home = Path(home)
    shown = [
        home / folder
        for entry in read_entries().values()
        if any(part.of_contestants for part in entry.measure) and place(home, entry).is_file()
        for folder in read_measurement(home, entry).folders()
    ]
    swept = [home] if any(Path(home, "timings").glob("*")) or not shown else []
    sources = {}
    for source in (load.load_results(folder, home) for folder in [*swept, *shown]):
        for kernel in source.kernels:
            if kernel not in sources or not sources[kernel].has_contestants(kernel):
                sources[kernel] = source
    return results.Results(
        load.read_machine(home),
        {kernel: source.kernels[kernel] for kernel, source in sources.items()},
        [record for kernel, source in sources.items() for record in source.records if record.kernel == kernel],
    )
