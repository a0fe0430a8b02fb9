"""Twins of one implementation that do 0, 2, 5, 10 or 15 % more work than the original, in a new order in each sweep.

Side by side, each is compared with the original of its sweep; between sweeps, each with what bore its name in the sweep
before and did another known amount of work. The truth is a ratio of numbers of equal passes; one of twice as many
shows that time goes by them.
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

MORE = (0, 2, 5, 10, 15)  # percent
EACH = 4  # twins of each kind
SIZES = (10_000, 100_000)
SWEEPS = 5
SIDE_BY_SIDE = {5: 0.9, 10: 0.9, 15: 0.9}  # {percent: share that is to be found}
BETWEEN = {10: 0.6, 15: 0.9}
FALSE = 0.03
DOUBLE, PROPORTIONAL = "numpy_double", 0.02  # does twice as much; how far it may be from taking twice as long


@dataclass(frozen=True)
class Decision:
    """A ratio that was told, with its interval and verdict, beside the true one; all of them second over first."""

    true: float
    ratio: float
    low: float
    high: float
    verdict: str | None

    @property
    def percent(self):
        """By how much the slower is slower, rounded to one of MORE; None where none is near."""
        exact = 100 * math.expm1(abs(math.log(self.true)))
        return next((more for more in MORE if abs(exact - more) <= 0.6), None)

    @property
    def slower(self):
        """How many times as long the slower of the two takes: the estimate and its interval, smallest first."""
        low, ratio, high = self.low, self.ratio, self.high
        return (low, ratio, high) if self.true > 1 else (1 / high, 1 / ratio, 1 / low)

    @property
    def is_found(self):
        return self.verdict == (FASTER if self.true > 1 else SLOWER)

    @property
    def is_covered(self):
        return self.low <= self.true <= self.high


def layout(chance):
    """{name of an implementation: its passes}."""
    passes = [PASSES * (100 + more) // 100 for more in MORE for _ in range(EACH)]
    chance.shuffle(passes)
    return {f"numpy_twin{number:02}": count for number, count in enumerate(passes)} | {DOUBLE: 2 * PASSES}


def side_by_side(results, passes):
    """The Decisions on the twins of a sweep against its original."""
    for row in frames.rows(Analysis(results), "timings"):
        if row.implementation in passes and row.implementation != DOUBLE and row.speedup:
            true = PASSES / passes[row.implementation]
            yield Decision(true, row.speedup, row.speedup_ci_low, row.speedup_ci_high, row.verdict)


def between(first, second):
    """The Decisions on the twins of two sweeps, each a pair of results and layout."""
    for pair in pairs.compare(first[0], second[0]).pairs:
        name, compared = pair.first.record.implementation, pair.compared
        if name in first[1] and compared.low is not None:
            true = first[1][name] / second[1][name]
            yield Decision(true, compared.ratio, compared.low, compared.high, compared.verdict)


def judge(where, decisions, targets):
    """The Rows of Decisions, with {percent: share} to be found."""
    by_percent, found = defaultdict(list), []
    for decision in decisions:
        if decision.percent is not None:
            by_percent[decision.percent].append(decision)
    same = by_percent.pop(0, [])
    if same:
        called = sum(decision.verdict in (FASTER, SLOWER) for decision in same) / len(same)
        found.append(at_most(f"{where}: {len(same)} times no difference, called FASTER or SLOWER", called, FALSE))
    for more, several in sorted(by_percent.items()):
        what, share = f"{where}: {more} % planted {len(several)} times, found", _share(d.is_found for d in several)
        wanted = targets.get(more)
        found.append(Row(what, percent(share)) if wanted is None else at_least(what, share, wanted))
    found += [_estimate(where, more, several) for more, several in sorted({0: same, **by_percent}.items()) if several]
    everything = [decision for decision in decisions if decision.low is not None]
    off = median([abs(math.log(decision.ratio / decision.true)) for decision in everything])
    half = median([math.log(decision.high / decision.low) / 2 for decision in everything])
    found.append(
        Row(f"{where}: median distance from the truth; half width of the interval", f"{percent(off)}; {percent(half)}")
    )
    found.append(
        Row(f"{where}: intervals that hold the truth", percent(_share(d.is_covered for d in everything)), "93 to 97 %")
    )
    return found


def _estimate(where, more, decisions):
    """The Row of what is told where so many percent are planted: medians of the estimate and of its interval."""
    told = [decision.slower for decision in decisions if decision.low is not None]
    if not told:
        return Row(f"{where}: {more} % planted, told", "-")
    low, ratio, high = (f"{100 * (median(values) - 1):.1f}" for values in zip(*told, strict=True))
    held = _share(decision.is_covered for decision in decisions if decision.low is not None)
    return Row(f"{where}: {more} % planted, told", f"{ratio} % ({low} to {high}), held by {percent(held)} of intervals")


def proportion(done):
    """The Row of how many times as long twice the work takes, in sweeps of (results, passes)."""
    every = (row for results, _ in done for row in frames.rows(Analysis(results), "timings"))
    times = [1 / row.speedup for row in every if row.implementation == DOUBLE and row.speedup]
    middle = median(times)
    limits = 2 - 2 * PROPORTIONAL, 2 + 2 * PROPORTIONAL
    wanted = f"{limits[0]:.2f} to {limits[1]:.2f}"
    return Row("twice the work takes so many times as long", f"{middle:.3f}", wanted, limits[0] <= middle <= limits[1])


def _share(truths):
    truths = list(truths)
    return sum(truths) / len(truths)


def rows(folder, options):
    """Sweeps of new layouts, one after the other."""
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
