"""The cases that two runs have in common, each with the ratio of its times and a verdict.

The processes of two runs are no pairs, so an interval is Welch's over the logarithms of the processes' medians. What
is divided is one of two things. *Plain*: the times as they are. *Relative*: the times divided by the baseline's,
process by process, which takes away what the machine as a whole did between the runs; docs/method.md says why nothing
else means much on a virtual machine.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from accelbench.analysis.cases import Case, gather, same_within
from accelbench.analysis.verdicts import DIFFERENCE, Comparison, compare_apart
from accelbench.store.load import Results

PLAIN, RELATIVE = "plain", "relative"
LIMIT = "limit_"
IMPLAUSIBLE = "implausible: faster than the machine can be"


@dataclass(frozen=True)
class Pair:
    """One case in both runs. `compared.ratio` is how many times as fast the second run is.

    by    what was divided, PLAIN or RELATIVE
    note  why there is no verdict; empty where there is one
    """

    first: Case
    second: Case
    by: str
    compared: Comparison
    note: str = ""


@dataclass(frozen=True)
class Alone:
    """A case that only one of the runs has a time for: which of them (0 or 1), and why the other has none."""

    case: Case
    run: int
    reason: str


@dataclass(frozen=True)
class Runs:
    """Two runs compared.

    names   what to call them
    by, why what was divided where there was a choice, and the reason for it
    pairs   in the order of the tables
    alone   what only one of them has a time for; a case that neither has a time for is in neither list
    speed   how many times as fast the second run's baselines and machine limits ran, or None where none is in both
    """

    names: tuple[str, str]
    results: tuple[Results, Results]
    by: str
    why: str
    pairs: list[Pair]
    alone: list[Alone]
    speed: float | None

    @cached_property
    def virtualised(self):
        return any(results.machine["virtualised"] for results in self.results)


def compare(first, second, names=("A", "B"), by=None):
    """Runs from two load.Results; `by` is PLAIN or RELATIVE, or None for whichever suits the machines.

    Times between device events do not follow the host's moods: where the choice is left open they are always compared
    plainly. Machine limits are no cases; they count in `speed`.
    """
    cases = [{case.id: case for case in gather(results)} for results in (first, second)]
    references = _references(*cases)
    speed = _speed(references.values())
    chosen, why = (by, "as asked") if by else _choose((first, second), speed)
    within = max(same_within(results.machine) for results in (first, second))
    hosts = first.host_devices | second.host_devices
    pairs, alone = [], []
    for case in sorted({**cases[1], **cases[0]}.values(), key=lambda case: case.order):
        own, other = (run.get(case.id) for run in cases)
        timed = [case is not None and bool(case.times("compute")) for case in (own, other)]
        if case.record.kernel.startswith(LIMIT) or not any(timed):
            continue
        if all(timed):
            plainly = chosen == PLAIN or (by is None and case.record.device not in hosts)
            pairs.append(_pair(own, other, None if plainly else references.get(case.problem), plainly, within))
        else:
            run = timed.index(True)
            alone.append(Alone((own, other)[run], run, _absence((other, own)[run])))
    return Runs(names, (first, second), chosen, why, pairs, alone, speed)


def _references(first, second):
    """{problem: its baseline in both runs}, at the thread count that serves the first run best.

    The same threads in both: which of two thread counts is the faster may change from run to run, and dividing by
    another case would look like a change of everything.
    """
    found = {}
    for case in first.values():
        if case.problem not in found:
            both = ((own, second.get(own.id)) for own in case.baselines)
            pair = next(((own, other) for own, other in both if other and _usable(own, other)), None)
            if pair:
                found[case.problem] = pair
    return found


def _usable(own, other):
    return bool(other.times("compute")) and not (own.implausible or other.implausible)


def _speed(references):
    ratios = [_compare(own, other, None).ratio for own, other in references]
    return math.exp(fmean(map(math.log, ratios))) if ratios else None


def _choose(results, speed):
    """What to divide, and why, where nobody said."""
    machines = [found.machine for found in results]
    if machines[0]["identity"] != machines[1]["identity"]:
        return RELATIVE, "the runs are of different machines"
    if any(machine["virtualised"] for machine in machines):
        return RELATIVE, "the speed of a virtual machine changes from minute to minute"
    if speed is not None and abs(math.log(speed)) > math.log1p(DIFFERENCE):
        return RELATIVE, "the machine's own speed changed between the runs"
    return PLAIN, "the runs are of one machine, whose own speed did not change"


def _pair(own, other, reference, plainly, within):
    if own.implausible or other.implausible:
        return Pair(own, other, PLAIN, _compare(own, other, None, within)._replace(verdict=None), IMPLAUSIBLE)
    if plainly:
        return Pair(own, other, PLAIN, _compare(own, other, None, within), _doubt(own, other))
    if reference is None or own is reference[0]:
        note = "it is what the others are relative to" if reference else "there is no baseline beside it in both runs"
        return Pair(own, other, PLAIN, _compare(own, other, None, within)._replace(verdict=None), note)
    compared = _compare(own, other, reference, within)
    if compared.ratio is None:
        return Pair(own, other, RELATIVE, compared, "it was never measured beside its baseline")
    return Pair(own, other, RELATIVE, compared, "" if compared.verdict else _doubt(own, other) or _FEW)


_FEW = "it was measured beside its baseline in one process only"


def _doubt(own, other):
    """Why two cases get no verdict; empty where they do."""
    fewest = min(len(case.times("compute")) for case in (own, other))
    return "one process gives no verdict" if fewest < 2 else ""


def _compare(own, other, reference, *within):
    """Comparison of two cases by their plain times, or relative to the `reference` in each run."""
    first, second = _tagged(own, 0), _tagged(other, 1)
    if reference is None:
        unit = dict.fromkeys(first | second, 1.0)  # in seconds: divided by it, times stay what they are
    else:
        unit = _tagged(reference[0], 0) | _tagged(reference[1], 1)
    return compare_apart(first, second, unit, *within)


def _tagged(case, run):
    """The case's times with sittings that no other run can have, whatever they were called there."""
    return {(run, sitting): seconds for sitting, seconds in case.times("compute").items()}


def _absence(case):
    """Why a run has no time of a case."""
    if case is None:
        return "not measured"
    record = case.record
    return f"{record.outcome}: {record.reason}" if record.reason else record.outcome
