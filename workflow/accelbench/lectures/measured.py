"""Results of one figure: measured.json, its cases, the fastest of several, and ratios.

measured.json also contains what the figure's module observed besides timings.
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
    """A part of a figure: the folder of its results, or what is missing.

    `left_out` is {implementation: environment} for environments that the configuration does not have.
    """

    kernel: str
    folder: Annotated[str, Field(pattern=f"^[0-9]{{1,3}}-{names.WORD}$")] | None
    missing: list[str]
    left_out: dict[
        Annotated[str, Field(pattern=f"^{names.WORD}$")], Annotated[str, Field(pattern=f"^{names.WORD}$")]
    ] = {}


class Measurement(BaseModel, extra="allow"):
    """Content of measured.json. Extra keys are observations. `scatter` is the recorded scatter of kernels."""

    schema_version: Literal[2]
    figure: str
    parts: list[MeasuredPart]
    scatter: list[dict[str, tuple[int, float, float]]] = []

    def folders(self):
        """Return the parts' result folders, relative to the machine's."""
        return [Path("lectures", self.figure, part.folder) for part in self.parts if part.folder]


def read_measurement(home, entry):
    """Return the Measurement of a figure. Raise InputError if its file is missing, damaged or of another version."""
    return formats.read(Measurement, place(home, entry), AGAIN)


@dataclass(frozen=True)
class Value:
    """The seconds of a Case, or None and the reason in words.

    best  the choosing.Best that the seconds are from
    """

    seconds: float | None = None
    case: Case | None = None
    kind: str = "compute"
    reason: str = NOTHING
    best: choosing.Best | None = None

    @property
    def interval(self):
        """Ends (low, high) of the 95 % confidence interval of the seconds; (None, None) without an interval."""
        return self.best.moderated if self.best else (None, None)


def fastest(cases, kind="compute"):
    """Return the Value of the fastest of some Cases, as `choosing` defines it. If there is none, it has the reason."""
    timed = [case for case in cases if seconds_of(case, kind) is not None]
    plausible = [case for case in timed if kind == "launch" or not case.implausible]  # peaks do not limit launches
    if not plausible:
        reasons = [c.record.reason or c.record.outcome.replace("_", " ") for c in cases if not c.ok]
        unknown = "this kind of time was not taken" if cases else NOTHING
        return Value(kind=kind, reason=IMPLAUSIBLE if timed else next(iter(reasons), unknown))
    if kind == "first_call":
        return min((Value(seconds_of(case, kind), case, kind) for case in plausible), key=lambda value: value.seconds)
    best = choices.best_of(plausible, kind)
    return Value(best.seconds, best.case, kind, best=best)


def seconds_of(case, kind):
    """Return the seconds of one kind of time of a case, including first_call; None if it has no such time."""
    if kind == "first_call":
        return case.record.startup.first_call_s if case.ok and case.record.startup else None
    return case.seconds(kind)


def largest(cases):
    """Return those Cases that have the largest size."""
    size = max((case.record.size for case in cases), default=None)
    return [case for case in cases if case.record.size == size]


@dataclass
class FigureResults:
    """Cases of all parts of a figure, and its Measurement. `home` is results/<machine>/."""

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
        """{implementation: reason} of implementations whose environment is not configured."""
        return {
            name: f"not measured without `environments: {{{home}: {{}}}}` in the configuration"
            for part in self.measurement.parts
            for name, home in part.left_out.items()
        }

    def observed(self, name, model):
        """Return the data that the figure's module observed under a name, as an instance of `model`, or None.

        Raise InputError if the data are damaged.
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
        """(minimum, median) number of processes that measured a case: fewer for long cases, more for baselines."""
        counts = [len(case.samples("compute")) for case in self.cases if case.ok] or [0]
        return min(counts), median_low(counts)

    def matching(self, implementation, *, options=None, threads=None, device=None, **equal):
        """Return the Cases with these values, in the order of the tables.

        implementation  a name or pattern
        threads         a number, or "all"
        device          kind of device, "cpu" or "gpu"
        equal           further values of a record: kernel, size, dtype; None matches any
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
        """Return the Comparison with the speedup of `fast` over `slow`, two Values.

        The ratio is paired by repetition if both cases were measured side by side. Otherwise, it is the quotient of the
        times, without an interval. If a lecture recorded one of the times, the interval comes from the other time.
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
        """Return a number as text, rounded by the ends of its interval.

        If the interval is too wide, the text says so and contains the number of repetitions that would suffice.
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

    Raise InputError if a result file is missing or damaged.
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
    """Return the Results of results/<machine>/ that compare versions of libraries (contestants).

    A kernel's results come from the machine's sweeps if these contain contestants. Otherwise, they come from the first
    figure with contestants of this kernel. Raise InputError if a result file is damaged.
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
