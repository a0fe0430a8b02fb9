"""What was measured for one figure, as its drawing needs it: cases by name, the right one of many, ratios of two."""

import fnmatch
import math
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import median_low

from accelbench.analysis import cases as case_rows
from accelbench.analysis.verdicts import Comparison, between
from accelbench.lectures import measuring
from accelbench.model.record import format_parameter
from accelbench.store import formats
from accelbench.store.load import check_folder, load_results

NOTHING = "not measured"


@dataclass(frozen=True)
class Value:
    """One number of a figure: the seconds of a Case, or None and the reason in words."""

    seconds: float | None = None
    case: object = None
    kind: str = "compute"
    reason: str = NOTHING

    @property
    def where(self):
        """How it ran, where that was a choice: "2 threads, block 256"."""
        if self.case is None:
            return ""
        record = self.case.record
        parts = [] if record.threads in (None, 1) else [f"{record.threads} threads"]
        for name, value in sorted(record.settings.items()):
            parts.append(f"{'block' if name == 'block_size' else name} {format_parameter(value)}")
        return ", ".join(parts)


@dataclass
class Measured:
    """A figure's cases from all its parts. `made` is what measuring noted, `home` results/<machine>/."""

    home: Path
    made: dict
    machine: dict
    cards: dict = field(default_factory=dict)
    cases: list = field(default_factory=list)

    @property
    def missing(self):
        return [word for part in self.made["parts"] for word in part["missing"]]

    @cached_property
    def within(self):
        return case_rows.same_within(self.machine)

    @property
    def devices(self):
        """The devices other than the machine's own cores that anything was timed or looked at on."""
        looked_at = {self.made["pool"]["device"]} if (self.made.get("pool") or {}).get("device") else set()
        return sorted({c.record.device for c in self.cases if c.ok and c.elsewhere} | looked_at)

    @property
    def gpus(self):
        """The names of the machine's GPUs, as the backend that finds most of them says."""
        found = [state["devices"] for state in self.machine["backends"].values()]
        return max(([d["name"] for d in devices if d["kind"] == "gpu"] for devices in found), key=len)

    @property
    def processes(self):
        """(fewest, usual): in how many processes cases were measured. Long ones take fewer, baselines more."""
        counts = [len(case.times("compute")) for case in self.cases if case.ok] or [0]
        return min(counts), median_low(counts)

    def matching(self, implementation, kernel=None, size=None, dtype=None, options=(), threads=None, device=None):
        """The Cases with these values, implementations by pattern, in the order of the tables."""
        found = []
        for case in self.cases:
            r = case.record
            wanted = {"all": self.machine["cpu"]["available"]}.get(threads, threads)
            if (
                fnmatch.fnmatchcase(r.implementation, implementation)
                and kernel in (None, r.kernel)
                and size in (None, r.size)
                and dtype in (None, r.dtype)
                and (wanted is None or r.threads == wanted)
                and all(r.options.get(name) == value for name, value in dict(options).items())
                and (device is None or (device == "cpu") != case.elsewhere)
            ):
                found.append(case)
        return found

    def fastest(self, cases, kind="compute"):
        """The Value of the fastest of some Cases; why none of them has one, where none has."""
        timed = [(seconds_of(case, kind), case) for case in cases]
        timed = [(seconds, case) for seconds, case in timed if seconds is not None]
        believed = [(seconds, case) for seconds, case in timed if not case.implausible]
        if timed and not believed:
            return Value(kind=kind, reason="implausible: faster than this machine can be")
        if timed := believed:
            return Value(*min(timed, key=lambda pair: pair[0]), kind)
        return Value(kind=kind, reason=why_not(cases))

    def problems(self):
        """(kernel, dtype, options, size) of every problem that was planned, in the order of the tables."""
        return list(dict.fromkeys(case.problem for case in self.cases))


def seconds_of(case, kind):
    """Seconds of one kind of time of a case, its first call among them; None where there are none."""
    if kind == "first_call":
        return case.record.startup.first_call_s if case.ok and case.record.startup else None
    return case.seconds(kind)


def why_not(cases):
    """Why none of these cases has a time."""
    reasons = dict.fromkeys(c.record.reason or c.record.outcome.replace("_", " ") for c in cases if not c.ok)
    if reasons:
        return next(iter(reasons))
    return "this kind of time was not taken" if cases else NOTHING


def ratio(slow, fast, within):
    """Comparison: how many times faster `fast` is than `slow`, two Values.

    Paired by sitting where both were measured side by side; else the plain ratio of both, without an interval.
    """
    if slow.seconds is None or fast.seconds is None:
        return Comparison()
    if slow.case is None or fast.case is None:
        return Comparison(slow.seconds / fast.seconds)
    if slow.case is fast.case and slow.kind == fast.kind:
        return Comparison(1.0, 1.0, 1.0)
    paired = Comparison()
    if "first_call" not in (slow.kind, fast.kind):
        paired = between(slow.case.times(slow.kind), fast.case.times(fast.kind), same_within=within)
    known = paired.low is not None and math.isfinite(paired.low)
    if paired.ratio is None:
        return Comparison(slow.seconds / fast.seconds)
    return paired if known else Comparison(paired.ratio)


def read(home, figure):
    """The Measured of a figure from results/<machine>/; InputError where a result file is missing or damaged."""
    home = Path(home)
    check_folder(home)
    made = measuring.read(home, figure)
    found = Measured(home, made, formats.read(formats.Machine, home / "machine.json", measuring.AGAIN))
    cases = {}
    for part in made["parts"]:
        if part["folder"] is None:
            continue
        results = load_results(home / measuring.FOLDER / figure / part["folder"], home)
        found.cards |= results.cards
        for case in case_rows.gather(results):
            other = cases.get(case.id)
            if other is None or len(case.times("compute")) > len(other.times("compute")):
                cases[case.id] = case
    found.cases = list(cases.values())
    return found
