"""Choosing the best among several, so that what is reported had no part in the choice.

The lowest of many noisy times is too low, and the more candidates there are the more so. Halves of one repetition do
not help: what is fast there by luck of memory placement is so in both. So each repetition's time is that of whichever
candidate all the other repetitions chose (leave one out).
"""

import math
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from statistics import fmean
from typing import Any

from accelbench.analysis.samples import Chosen, Samples, levels, pseudo_values
from accelbench.analysis.verdicts import Comparison, judge, tied
from accelbench.statistics import geometric_mean, median, single_interval, student_interval

WINNER, TIE, UNKNOWN, ONE_PROCESS = "winner", "tie", "unknown", "one_process"


def ranked(levels: Mapping[Hashable, Mapping[str, float]], without: Collection[str] = ()) -> list:
    """Keys, fastest first, by the means of their {repetition: logarithm of its time}, of repetitions but `without`."""
    kept = {key: [level for name, level in own.items() if name not in without] for key, own in levels.items()}
    means = {key: fmean(values) for key, values in kept.items() if values}
    return sorted(means, key=means.__getitem__)


@dataclass(frozen=True, eq=False)
class Best:
    """The fastest of several candidates by one kind of time.

    case          what all repetitions together choose; mostly a Case
    kind          the kind of time
    samples       what is reported: the samples of each repetition of what the others chose
    chosen        {repetition: what the others chose of all that it holds}
    instead       {repetition: {another: what would have been chosen for that without the first}} where it is another
    candidates    number of candidates with a time
    held_out      whether others were measured in several repetitions, too
    tie           case and all that tie with it, fastest first; empty without a verdict
    undetermined  those that scatter too much to be told from it, but are slower than something that is slower
    compared      {another candidate: how many times as fast the best is}; empty where nobody asked
    beside        its seconds by the model of all that was sampled beside it; None where they are those of `samples`
    """

    case: Any
    kind: Any
    samples: Samples
    chosen: Mapping[str, Any]
    instead: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    candidates: int = 1
    held_out: bool = False
    tie: tuple = ()
    undetermined: tuple = ()
    compared: Mapping[Any, Comparison] = field(default_factory=dict)
    beside: float | None = None

    @cached_property
    def seconds(self) -> float:
        return seconds(self.samples) if self.beside is None else self.beside

    @cached_property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of `seconds`; None of one repetition, which would describe that one alone."""
        return self.ends if len(self.samples) > 1 else None

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The ends of the 95 % interval of `seconds`; of one repetition those within that one."""
        return self._around(*_student(self.samples))

    @cached_property
    def moderated(self) -> tuple[float, float]:
        """The same interval, moderated by the scatter of its machine."""
        return self._around(*interval(self.samples, self.case.scatter, self.case.pool(self.kind, self.case)))

    def _around(self, low, high):
        by = self.seconds / seconds(self.samples)
        return low * by, high * by

    @property
    def decision(self) -> str:
        return TIE if len(self.tie) > 1 else WINNER if self.tie else ONE_PROCESS

    @property
    def incomparable(self) -> list:
        """The candidates that no interval connects with it."""
        return [key for key, compared in self.compared.items() if compared.verdict is None]

    def samples_of(self, kind) -> Samples:
        """The samples of another kind of time of what was chosen."""
        return reported(self.chosen, self.instead, lambda case: case.samples(kind))

    @cached_property
    def speedup(self) -> Comparison:
        """Comparison with the baseline; of the baseline with itself 1, without a verdict."""
        return self.case.speedup(self.kind, self)

    def verdict_against(self, other: "Best") -> str | None:
        """The verdict on how many times as fast it is as the Best of another machine, of which nothing was sampled side
        by side: by the intervals of both. None where either has none."""
        if self.interval is None or other.interval is None:
            return None
        half = math.hypot(*(math.log(high / low) / 2 for low, high in (self.interval, other.interval)))
        within = max(best.case.scatter.same_within for best in (self, other))
        return judge(math.log(other.seconds / self.seconds), half, half_next=half, same_within=within).verdict


def seconds(samples: Samples) -> float:
    """The time that samples stand for: the geometric mean over repetitions of their medians."""
    return geometric_mean([median(rounds.values()) for rounds in samples.values()])


def _student(samples):
    """The 95 % interval of the time that samples stand for, by how they scatter over repetitions alone."""
    if len(samples) == 1:
        return single_interval([s for rounds in samples.values() for s in rounds.values()])
    return student_interval(pseudo_values(lambda rounds: math.log(median(rounds.values())), samples).values())


def interval(samples: Samples, scatter, kind: str) -> tuple[float, float]:
    """Return the 95 % interval of the time that samples stand for, by how it scatters over repetitions: moderated by
    the Scatter's prior of a kind of time. That of one repetition describes it alone, unless this is a first look."""
    found = scatter.judge(pseudo_values(lambda rounds: math.log(median(rounds.values())), samples), kind)
    return _student(samples) if found.low is None or found.high is None else (found.low, found.high)


def choose(
    candidates: Mapping[Any, Samples],
    compare: Callable[[Any, Any, Samples], Comparison] | None = None,
    *,
    kind: Any = "compute",
    times: Mapping[Any, Mapping[str, float]] | None = None,
) -> Best | None:
    """Return the Best among {key: Samples}; None if nothing was sampled.

    compare   compare(key, best, samples): how many times as fast the best is, of which these are reported, as another;
              None if the ties are not needed
    times     {key: {repetition: logarithm of its time}} that they are ranked by; by default those of the samples
    """
    candidates = {key: samples for key, samples in candidates.items() if any(samples.values())}
    if not candidates:
        return None
    times = times or {key: levels(samples) for key, samples in candidates.items()}
    # A candidate of a single repetition is the best only among its like: it has no interval.
    repeated = {key: times[key] for key, samples in candidates.items() if sum(map(bool, samples.values())) > 1}
    best, count = ranked(repeated or times)[0], len(candidates)
    if best not in repeated:
        return Best(best, kind, candidates[best], dict.fromkeys(candidates[best], best), candidates=count)
    chosen, instead = _leave_out(repeated, candidates[best])
    found = Best(
        best, kind, reported(chosen, instead, candidates.__getitem__), chosen, instead, count, len(repeated) > 1
    )
    if not compare:
        return found
    compared = {key: compare(key, best, found.samples) for key in ranked(times) if key != best}
    tie, undetermined = tied({key: each.verdict for key, each in compared.items()})
    return replace(found, tie=(best, *tie), undetermined=undetermined, compared=compared)


def reported(chosen: Mapping[str, Any], instead: Mapping[str, Mapping[str, Any]], samples_of) -> Chosen:
    """The Samples of what was chosen, `samples_of` each key; without repetitions that those of its key lack."""

    def of(keys):
        found = {repetition: samples_of(key).get(repetition) for repetition, key in keys.items()}
        return {repetition: rounds for repetition, rounds in found.items() if rounds}

    return Chosen(of(chosen), {repetition: of(keys) for repetition, keys in instead.items()})


def _leave_out(times, repetitions):
    """(chosen, instead) of a Best: of each repetition what the others find fastest of all that have it."""
    if len(times) == 1:
        return dict.fromkeys(repetitions, *times), {}
    order = cache(partial(ranked, times))

    def fastest(repetition, *others):
        return next((key for key in order(frozenset((repetition, *others))) if repetition in times[key]), None)

    chosen = {name: key for name in repetitions if (key := fastest(name)) is not None}
    instead = {}
    for left_out in chosen:
        found = {name: fastest(name, left_out) for name in chosen if name != left_out}
        instead[left_out] = {name: key for name, key in found.items() if key not in (None, chosen[name])}
    return chosen, {name: others for name, others in instead.items() if others}
