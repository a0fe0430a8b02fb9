"""What was measured for one figure: measured.json, and cases by name and ratios of two values, as drawing needs them.

What a figure's module observed beside timings stands in measured.json, too.
"""

import fnmatch
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median_low
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from accelbench.analysis import cases as case_rows
from accelbench.analysis.verdicts import ITSELF, Comparison
from accelbench.model.machine import Machine
from accelbench.model.names import WORD
from accelbench.store import formats
from accelbench.store.load import check_folder, load_results, read_machine

FOLDER = "lectures"
FILE = "measured.json"
AGAIN = "Delete it and run again: make lecture"


class MeasuredPart(BaseModel):
    """A part of a figure: where its results lie, or what is missing; `left_out` names the environments that
    implementations need and the configuration did not have."""

    kernel: str
    folder: Annotated[str, Field(pattern=f"^[0-9]{{1,3}}-{WORD}$")] | None
    missing: list[str]
    left_out: dict[Annotated[str, Field(pattern=f"^{WORD}$")], Annotated[str, Field(pattern=f"^{WORD}$")]] = {}


class Measurement(BaseModel):
    """The whole file, without what was observed."""

    schema_version: Literal[2]
    figure: str
    parts: list[MeasuredPart]

    def folders(self):
        """The places of the parts' results below the machine's."""
        return [Path(FOLDER, self.figure, part.folder) for part in self.parts if part.folder]


def place(home, entry):
    """The file of a figure in results/<machine>/."""
    return Path(home) / FOLDER / entry.id / FILE


def read_measurement(home, entry, model=Measurement):
    """Return the Measurement of a figure, or what another `model` reads in its file; InputError where that is missing,
    damaged or of another version."""
    return formats.read(model, place(home, entry), AGAIN)


@dataclass
class FigureResults:
    """A figure's cases from all its parts, and the Measurement they are from. `home` is results/<machine>/."""

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
        """{implementation: why it was not measured} of those that need an environment which was not configured."""
        named = {name: home for part in self.measurement.parts for name, home in part.left_out.items()}
        return {
            name: f"not measured without `environments: {{{home}: {{}}}}` in the configuration"
            for name, home in named.items()
        }

    @property
    def devices(self):
        """The devices other than the machine's own cores that anything was timed on."""
        return sorted({c.record.device for c in self.cases if c.ok and c.on_accelerator})

    @property
    def gpus(self):
        """The names of the machine's GPUs, as the backend that finds most of them says."""
        backends = self.machine.backends.values()
        return max(([device.name for device in b.devices if not device.on_host] for b in backends), key=len)

    @property
    def processes(self):
        """(fewest, usual): in how many processes cases were measured. Long ones take fewer, baselines more."""
        counts = [len(case.samples("compute")) for case in self.cases if case.ok] or [0]
        return min(counts), median_low(counts)

    def matching(self, implementation, *, kernel=None, size=None, dtype=None, options=None):
        """The Cases with these values, implementations by pattern, in the order of the tables."""
        return [
            case
            for case in self.cases
            for r in [case.record]
            if fnmatch.fnmatchcase(r.implementation, implementation)
            and kernel in (None, r.kernel)
            and size in (None, r.size)
            and dtype in (None, r.dtype)
            and all(r.options.get(name) == value for name, value in (options or {}).items())
        ]

    def running(self, cases, threads=None, device=None):
        """Those of some Cases that run with so many threads, or "all", and on a device of the kind "cpu" or "gpu"."""
        count = self.machine.cpu.available if threads == "all" else threads
        return [
            case
            for case in cases
            if count in (None, case.record.threads) and (device is None or (device == "cpu") != case.on_accelerator)
        ]

    def ratio(self, slow, fast):
        """Comparison: how many times faster `fast` is than `slow`, two Values.

        Paired by repetition where both were measured side by side; else the plain ratio of both, without an interval,
        or, where one was recorded then, with the interval of the other.
        """
        if slow.seconds is None or fast.seconds is None:
            return Comparison()
        plain = Comparison(slow.seconds / fast.seconds)
        if slow.case is None or fast.case is None:
            return _over_recorded(slow, fast)
        if slow.case is fast.case and slow.kind == fast.kind:
            return ITSELF
        if "first_call" in (slow.kind, fast.kind):
            return plain
        pool = fast.case.pool(fast.kind, slow.case)
        paired = fast.case.scatter.compare(slow.samples, fast.samples, pool)
        return plain if paired.ratio is None else paired


def _over_recorded(slow, fast):
    """Comparison of two Values, one of which was recorded then, by the interval of the other over its repetitions."""
    ratio = slow.seconds / fast.seconds
    if max(len(slow.samples), len(fast.samples)) < 2:
        return Comparison(ratio)
    (slow_low, slow_high), (fast_low, fast_high) = (
        value.interval if value.case else (value.seconds, value.seconds) for value in (slow, fast)
    )
    return Comparison(ratio, low=slow_low / fast_high, high=slow_high / fast_low)


def read(home, entry):
    """The FigureResults of a figure from results/<machine>/; InputError where a result file is missing or damaged."""
    home = Path(home)
    check_folder(home)
    measurement = read_measurement(home, entry)
    machine = read_machine(home)
    kernels, cases = {}, {}
    for folder in measurement.folders():
        results = load_results(home / folder, home)
        kernels |= results.kernels
        for case in case_rows.gather(results):
            other = cases.get(case.id)
            if other is None or len(case.samples("compute")) > len(other.samples("compute")):
                cases[case.id] = case
    return FigureResults(home, measurement, machine, kernels, list(cases.values()))
