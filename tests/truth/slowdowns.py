"""Twins of one implementation that do 0, 2, 5, 10 or 15 % more work than the original, in a new order in each sweep.

Within a sweep, each twin is compared with the original. Between sweeps, a twin is compared with the twin of the same
name in the sweep before, which usually did another amount of work. All passes do equal work, so the true ratio is the
ratio of the numbers of passes. A twin with twice the passes shows that time is proportional to the number of passes.
"""

import math
import random
from collections import defaultdict
from dataclasses import dataclass

from planting import PASSES, Row, at_least, at_most, percent, plant, sweep

from accelbench.analysis import Analysis, frames
from accelbench.analysis.verdicts import FASTER, SLOWER
from accelbench.compare import pairs
from accelbench.statistics import median
from accelbench.store.load import load_results

MORE = (0, 2, 5, 10, 15)  # planted slowdowns, in percent
EACH = 4  # number of twins per slowdown
SIZES = (10_000, 100_000)
SWEEPS = 5
SIDE_BY_SIDE = {5: 0.9, 10: 0.9, 15: 0.9}  # {percent: minimum share that is found}
BETWEEN = {10: 0.6, 15: 0.9}
FALSE = 0.03
DOUBLE, PROPORTIONAL = "numpy_double", 0.02  # twin with twice the work; maximum relative deviation of its time


@dataclass(frozen=True)
class Decision:
    """A measured ratio with its interval and verdict, and the true ratio.

    The ratios are speedups: of a twin over the original, or of the second sweep over the first.
    """

    true: float
    ratio: float
    low: float
    high: float
    verdict: str | None

    @property
    def percent(self):
        """True slowdown in percent, rounded to a value of MORE, or None if no value of MORE is near."""
        exact = 100 * math.expm1(abs(math.log(self.true)))
        return next((more for more in MORE if abs(exact - more) <= 0.6), None)

    @property
    def slower(self):
        """Time of the truly slower implementation relative to the faster one: (low, estimate, high)."""
        low, ratio, high = self.low, self.ratio, self.high
        return (low, ratio, high) if self.true > 1 else (1 / high, 1 / ratio, 1 / low)

    @property
    def is_found(self):
        return self.verdict == (FASTER if self.true > 1 else SLOWER)

    @property
    def is_covered(self):
        return self.low <= self.true <= self.high


def layout(chance):
    """Return {name of an implementation: number of its passes}; the order is random."""
    passes = [PASSES * (100 + more) // 100 for more in MORE for _ in range(EACH)]
    chance.shuffle(passes)
    return {f"numpy_twin{number:02}": count for number, count in enumerate(passes)} | {DOUBLE: 2 * PASSES}


def side_by_side(results, passes):
    """Yield a Decision for each twin of a sweep, compared with the original of the sweep."""
    for row in frames.rows(Analysis(results), "timings"):
        if row.implementation in passes and row.implementation != DOUBLE and row.speedup:
            true = PASSES / passes[row.implementation]
            yield Decision(true, row.speedup, row.speedup_ci_low, row.speedup_ci_high, row.verdict)


def between(first, second):
    """Yield a Decision for each twin of two sweeps. Each sweep is given as (results, layout)."""
    for pair in pairs.compare(first[0], second[0]).pairs:
        name, compared = pair.first.record.implementation, pair.compared
        if name in first[1] and compared.low is not None:
            true = first[1][name] / second[1][name]
            yield Decision(true, compared.ratio, compared.low, compared.high, compared.verdict)


def judge(where, decisions, targets):
    """Return the Rows of Decisions; `targets` are {percent: minimum share that is found}."""
    by_percent, table = defaultdict(list), []
    for decision in decisions:
        if decision.percent is not None:
            by_percent[decision.percent].append(decision)
    same = by_percent.pop(0, [])
    if same:
        called = sum(decision.verdict in (FASTER, SLOWER) for decision in same) / len(same)
        table.append(
            at_most(f"{where}: {len(same)} pairs without a difference, called FASTER or SLOWER", called, FALSE)
        )
    for more, several in sorted(by_percent.items()):
        what, share = f"{where}: {more} % planted in {len(several)} pairs, found", _share(d.is_found for d in several)
        target = targets.get(more)
        table.append(Row(what, percent(share)) if target is None else at_least(what, share, target))
    table += [_estimate(where, more, several) for more, several in sorted({0: same, **by_percent}.items()) if several]
    everything = [decision for decision in decisions if decision.low is not None]
    off = median([abs(math.log(decision.ratio / decision.true)) for decision in everything])
    half = median([math.log(decision.high / decision.low) / 2 for decision in everything])
    table.append(
        Row(f"{where}: median distance from the truth; half width of the interval", f"{percent(off)}; {percent(half)}")
    )
    table.append(
        Row(
            f"{where}: intervals that contain the truth",
            percent(_share(d.is_covered for d in everything)),
            "93 to 97 %",
        )
    )
    return table


def _estimate(where, more, decisions):
    """Return the Row of the measured value of a planted slowdown: medians of the estimates and of their intervals."""
    estimates = [decision.slower for decision in decisions if decision.low is not None]
    if not estimates:
        return Row(f"{where}: {more} % planted, measured", "-")
    low, ratio, high = (f"{100 * (median(values) - 1):.1f}" for values in zip(*estimates, strict=True))
    covering = _share(decision.is_covered for decision in decisions if decision.low is not None)
    return Row(
        f"{where}: {more} % planted, measured", f"{ratio} % ({low} to {high}), in {percent(covering)} of the intervals"
    )


def proportion(done):
    """Return the Row of the time of twice the work relative to the original, over all sweeps (results, passes)."""
    every = (row for results, _ in done for row in frames.rows(Analysis(results), "timings"))
    times = [1 / row.speedup for row in every if row.implementation == DOUBLE and row.speedup]
    middle = median(times)
    limits = 2 - 2 * PROPORTIONAL, 2 + 2 * PROPORTIONAL
    target = f"{limits[0]:.2f} to {limits[1]:.2f}"
    return Row(
        "time of twice the work, relative to the original", f"{middle:.3f}", target, limits[0] <= middle <= limits[1]
    )


def _share(truths):
    truths = list(truths)
    return sum(truths) / len(truths)


def rows(folder, options):
    """Run sweeps with new layouts, one after the other; return the rows of the decisions."""
    chance, done, decisions = random.Random(options.seed), [], {"side by side": [], "between sweeps": []}
    for number in range(options.count or SWEEPS):
        passes = layout(chance)
        place = folder / str(number)
        plant(place, passes, sizes=list(SIZES))
        seconds, home = sweep(place)
        done.append((load_results(home), passes))
        print(f"sweep {number + 1}: {seconds:.0f} s", flush=True)
        decisions["side by side"] += side_by_side(*done[-1])
        if number:
            decisions["between sweeps"] += between(*done[-2:])
    targets = {"side by side": SIDE_BY_SIDE, "between sweeps": BETWEEN}
    judged = [row for where, found in decisions.items() if found for row in judge(where, found, targets[where])]
    return [proportion(done), *judged] if any(DOUBLE in passes for _, passes in done) else judged
