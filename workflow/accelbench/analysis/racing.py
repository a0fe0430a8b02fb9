"""Racing: the repetitions measured so far decide which cases later repetitions do not measure.

Slow block sizes leave the race after the first repetition. All other cases are measured a few times. Afterwards, a case
leaves the race if it cannot be the fastest in any ranking and its verdict against NumPy is known or not needed. The
decision is a pure function of the cases. The journal records each decision, so that no decision is made twice.

The constants come from published sweeps, and from simulations with known true times: `races` and `replay` in
tests/truth.
"""

import math
from collections.abc import Collection
from dataclasses import replace
from itertools import product
from statistics import fmean

from accelbench.analysis import choices, effects
from accelbench.analysis.cases import PINNED, AmortisedTransfer, Case, has_default_block
from accelbench.analysis.samples import Samples, log_ratios
from accelbench.analysis.scatter import Scatter
from accelbench.analysis.verdicts import AMBIGUOUS, FASTER
from accelbench.model.record import Left

CONFIDENCE = 0.999  # Confidence level of the intervals that decide which cases leave the race
# Ratio to the time of the leader (the fastest plausible case) up to which a backend's best case stays in the race
NEAR = 3.0
# Relative excess over the time with the best block size, above which a case leaves the race after one repetition
BLOCK_LOSS = 0.03
# Kinds of time by which cases are ranked. `compute` must be first, since its ranking gives the verdicts.
RANKED = ("compute", "throughput", "end_to_end", PINNED, *map(AmortisedTransfer, (10, 100, 1000)))


def judging(scatter: Scatter) -> Scatter:
    """Return a copy of a Scatter with the confidence level CONFIDENCE."""
    return replace(scatter, confidence=CONFIDENCE)


def departures(cases: Collection[Case], *, after: int, least: int) -> dict[Case, Left]:
    """Return {case: Left} of the cases that leave the race after the repetition with the number `after`.

    cases  Cases in the race, with their baselines and a Scatter from `judging`. They must not contain repetitions later
           than `after`.
    after  number of the last repetition
    least  minimum number of repetitions before cases leave the race. Slow block sizes leave after the first repetition.
    """
    decisions = {}
    for several in choices.group_by(cases, lambda case: case.problem).values():
        timed = [case for case in several if case.samples("compute")]
        lost = dict.fromkeys(_slow_blocks(timed)) if after == 1 else {}
        if after >= least:
            lost |= _losers([case for case in timed if case not in lost])
        decisions |= {case: Left(after=after, verdict=verdict) for case, verdict in lost.items()}
    return decisions


def _slow_blocks(cases):
    """Yield cases on accelerators whose block size is not a default and over BLOCK_LOSS slower than the best."""
    swept = [case for case in cases if case.on_accelerator and choices.sweeps_blocks(case)]
    for group in choices.group_by(swept, choices.by_all_but_block).values():
        ranking = _Ranking(group, "compute")
        for case in ranking.order[1:]:
            if not has_default_block(case) and ranking.gap(case, ranking.order[0]) > math.log1p(BLOCK_LOSS):
                yield case


def _losers(cases):
    """Return {case that leaves the race: verdict of this case against the baseline}."""
    rankings = [
        _Ranking([case for case in cases if case.is_like or not base], kind)
        for kind, base in product(RANKED, (False, True))
        if any((PINNED if isinstance(kind, AmortisedTransfer) else kind) in case.record.timings for case in cases)
    ]
    survivors = {ranking.baseline for ranking in rankings}
    survivors |= {case for ranking in rankings for case in ranking.order if not ranking.has_lost(case)}
    every = rankings[0]
    return {case: every.verdict(case) for case in every.order if case not in survivors and every.is_decided(case)}


class _Ranking:
    """Cases of a problem, ranked by one kind of time.

    order     the cases that have this kind of time, the fastest first
    baseline  the fastest plausible baseline in `order`, or None
    """

    def __init__(self, cases, kind):
        self._kind = kind
        self._samples: dict[Case, Samples] = {case: case.samples(kind) for case in cases}
        self._levels: dict[Case, float] = {
            case: fmean(levels.values())
            for alike in choices.group_by(cases, lambda case: case.on_accelerator).values()
            for case, levels in effects.levels({case: self._samples[case] for case in alike}).items()
            if levels
        }
        self.order = sorted(self._levels, key=self._levels.__getitem__)
        self._plausible = [case for case in self.order if not case.implausible] or self.order
        self.baseline = next((case for case in self._plausible if case.is_baseline), None)
        self._of_backends = self._firsts(lambda case: (case.record.backend, case.record.device))
        self._of_implementations = self._firsts(choices.by_threads)

    def _firsts(self, key):
        return {key: group[0] for key, group in choices.group_by(self._plausible, key).items()}

    def gap(self, slow, fast):
        """Return the mean log ratio of the time of `slow` to the time of `fast`; 0 if they share no repetition."""
        return fmean(log_ratios(self._samples[slow], self._samples[fast]).values() or [0.0])

    def has_lost(self, case):
        """Return whether a case is significantly slower than the leader (the fastest plausible case).

        Return False for the best case of a backend on a device if its time is at most NEAR times the leader's time.
        """
        leader = self._plausible[0]
        if case is leader or not self._is_behind(case, leader):
            return False
        stands = case is self._of_backends.get((case.record.backend, case.record.device))
        return not stands or self._levels[case] - self._levels[leader] > math.log(NEAR)

    def is_decided(self, case):
        """Return whether the verdict of a case against the baseline is known or not needed.

        A verdict is known if it is not AMBIGUOUS. It is not needed if the case is significantly slower than the best
        case of the same implementation, device and number of threads.
        """
        best = self._of_implementations.get(choices.by_threads(case), case)
        return (case is not best and self._is_behind(case, best)) or self.verdict(case) not in (None, AMBIGUOUS)

    def verdict(self, case):
        """Return the verdict of a case against the baseline; None if there is no baseline or no verdict."""
        return self.baseline and self._compare(self.baseline, case).verdict

    def _is_behind(self, case, other):
        return self._levels[case] > self._levels[other] and self._compare(case, other).verdict == FASTER

    def _compare(self, first, second):
        beside = self._samples[self.baseline] if self.baseline else None
        kind = second.pool(self._kind, first)
        return second.scatter.between(self._samples[first], self._samples[second], beside, kind=kind)
