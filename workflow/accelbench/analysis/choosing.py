"""Choosing the best among several, so that what is reported had no part in the choice.

The lowest of many noisy times is too low, and the more candidates there are the more so. Halves of one repetition do
not help: what is fast there by luck of memory placement is so in both. So each repetition's time is that of whichever
candidate all the other repetitions chose (leave one out).
"""

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from statistics import fmean
from typing import Any

from accelbench.analysis.samples import Chosen, Samples, levels, told
from accelbench.analysis.verdicts import Comparison, judge, tied
from accelbench.statistics import geometric_mean, median, single_interval, student_interval

WINNER, TIE, UNKNOWN, ONE_PROCESS = "winner", "tie", "unknown", "one_process"


class Field:
    """Candidates in the order of their times.

    candidates  {key: Samples}
    baseline    the Samples of what stood beside them in every repetition, where there is such a one
    devices     the keys of what does not follow the moods of the baseline's cores
    """

    def __init__(self, candidates: Mapping[Any, Samples], baseline: Samples | None = None, devices=()):
        self._times = {key: own for key, samples in candidates.items() if (own := levels(samples))}
        self._devices, self._usual, self._ratios = devices, levels(baseline or {}), {}
        if baseline and len({frozenset(own) for own in self._times.values()}) > 1:
            self._ratios = {key: self._beside_baseline(own) for key, own in self._times.items()}

    def ranked(self, keys: Iterable[Hashable] | None = None, without: Collection[str] = ()) -> list[Hashable]:
        """`keys`, all where None, fastest first, by what was measured in any repetition but those `without`.

        Keys measured in different repetitions are ranked by their ratios to the baseline, those in `devices` by half of
        them and half of their plain times; what shares no repetition with the baseline is left out. Without a baseline
        their plain times must do. Those of the same repetitions stand in the order of their plain times either way:
        whatever else is a candidate does not change which of two is faster.
        """
        keys = self._times.keys() if keys is None else keys
        found = {key: level for key in keys if (level := self._against_baseline(key, without)) is not None}
        found = found or {key: level for key in keys if (level := self._level(key, without)) is not None}
        return sorted(found, key=lambda key: found[key])

    def _beside_baseline(self, own):
        return {name: level - self._usual[name] for name, level in own.items() if name in self._usual}

    def _level(self, key, without):
        return _mean(self._times.get(key, {}), without)

    def _against_baseline(self, key, without):
        ratio = _mean(self._ratios.get(key, {}), without)
        if ratio is None or key not in self._devices:
            return ratio
        shared = [name for name in self._times[key] if name in self._usual and name not in without]
        return (ratio + fmean(self._times[key][name] for name in shared) - fmean(self._usual.values())) / 2


def _mean(logs, without):
    values = [value for name, value in logs.items() if name not in without]
    return fmean(values) if values else None


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
        if len(self.samples) < 2:
            return None
        low, high = interval(self.samples)
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
        return self.case.speedup(self.kind, self.samples)

    def apart(self, other: "Best") -> str | None:
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


def interval(samples: Samples) -> tuple[float, float]:
    """The 95 % interval of the time that samples stand for, by how it scatters over repetitions."""
    if len(samples) == 1:
        return single_interval([s for rounds in samples.values() for s in rounds.values()])
    return student_interval(told(lambda rounds: math.log(median(rounds.values())), samples).values())


def choose(
    candidates: Mapping[Any, Samples],
    compare: Callable[[Any, Any, Samples], Comparison] | None = None,
    *,
    kind: Any = "compute",
    baseline: Samples | None = None,
    devices=(),
) -> Best | None:
    """The Best among {key: Samples}, None where nothing was sampled.

    compare   compare(key, best, samples): how many times as fast the best is, of which these are reported, as another;
              None where nobody asks who ties
    baseline, devices  as a Field has them
    """
    candidates = {key: samples for key, samples in candidates.items() if any(samples.values())}
    if not candidates:
        return None
    # What lasted one repetition only can be called neither the best nor no worse, so it must not shadow what can.
    repeated = [key for key, samples in candidates.items() if sum(map(bool, samples.values())) > 1]
    among, count = Field(candidates, baseline, devices), len(candidates)
    best = among.ranked(repeated or None)[0]
    if best not in repeated:
        return Best(best, kind, candidates[best], dict.fromkeys(candidates[best], best), candidates=count)
    chosen, instead = _leave_out(among, {key: candidates[key] for key in repeated}, candidates[best])
    found = Best(
        best, kind, reported(chosen, instead, candidates.__getitem__), chosen, instead, count, len(repeated) > 1
    )
    if not compare:
        return found
    compared = {key: compare(key, best, found.samples) for key in among.ranked() if key != best}
    tie, undetermined = tied({key: each.verdict for key, each in compared.items()})
    unranked = {key: Comparison() for key in candidates if key != best and key not in compared}
    return replace(found, tie=(best, *tie), undetermined=undetermined, compared=compared | unranked)


def reported(chosen: Mapping[str, Any], instead: Mapping[str, Mapping[str, Any]], samples_of) -> Chosen:
    """The Samples of what was chosen, `samples_of` each key; without repetitions that those of its key lack."""

    def of(keys):
        found = {repetition: samples_of(key).get(repetition) for repetition, key in keys.items()}
        return {repetition: rounds for repetition, rounds in found.items() if rounds}

    return Chosen(of(chosen), {repetition: of(keys) for repetition, keys in instead.items()})


def _leave_out(field, candidates, repetitions):
    """(chosen, instead) of a Choice: of each repetition what the others find fastest of all that have it."""
    if len(candidates) == 1:
        return dict.fromkeys(repetitions, *candidates), {}

    @cache
    def ranked(without):
        return field.ranked(candidates, without)

    def fastest(repetition, *others):
        order = ranked(frozenset((repetition, *others)))
        return next((key for key in order if candidates[key].get(repetition)), None)

    chosen = {name: key for name in repetitions if (key := fastest(name)) is not None}
    instead = {}
    for left_out in chosen:
        found = {name: fastest(name, left_out) for name in chosen if name != left_out}
        instead[left_out] = {name: key for name, key in found.items() if key not in (None, chosen[name])}
    return chosen, {name: others for name, others in instead.items() if others}
