"""Choosing the best among several, so that what is reported had no part in the choice.

The lowest of many noisy times is too low, and the more candidates there are the more so. Halves of one repetition do
not help: what is fast there by luck of memory placement is so in both. So each repetition's time is that of whichever
candidate all the other repetitions chose (leave one out).
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import Any

from accelbench.analysis.samples import Chosen, Samples, levels
from accelbench.analysis.verdicts import tied


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


@dataclass(frozen=True)
class Choice:
    """The best among several candidates.

    best      its key: what all repetitions together choose
    chosen    {repetition: the key of what the others chose of all that it holds}: that is reported of it
    instead   {repetition: {another: what would have been chosen for that without the first}} where it is another key
    samples   what is reported
    held_out  whether there were others
    tie       best and all that tie with it, fastest first; empty without a verdict
    """

    best: Any
    chosen: Mapping[str, Any]
    instead: Mapping[str, Mapping[str, Any]]
    samples: Samples
    held_out: bool
    tie: tuple = ()


def choose(
    candidates: Mapping[Any, Samples],
    verdict: Callable[[Any, Any, Samples], str | None] | None = None,
    *,
    baseline: Samples | None = None,
    devices=(),
) -> Choice | None:
    """The Choice among {key: Samples}, None where nothing was sampled.

    verdict   verdict(key, best, samples): whether the best, of which these are reported, is FASTER than another; None
              where nobody asks who ties
    baseline, devices  as a Field has them
    """
    candidates = {key: samples for key, samples in candidates.items() if any(samples.values())}
    if not candidates:
        return None
    # What lasted one repetition only can be called neither the best nor no worse, so it must not shadow what can.
    repeated = [key for key, samples in candidates.items() if sum(map(bool, samples.values())) > 1]
    field = Field(candidates, baseline, devices)
    order = field.ranked(repeated or None)
    best = order[0]
    if best not in repeated:
        return Choice(best, dict.fromkeys(candidates[best], best), {}, candidates[best], False)
    chosen, instead = _leave_out(field, {key: candidates[key] for key in repeated}, candidates[best])
    samples = reported(chosen, instead, candidates.__getitem__)
    tie = ()
    if verdict:
        others = [key for key in field.ranked() if key != best]
        tie = best, *tied({key: verdict(key, best, samples) for key in others})[0]
    return Choice(best, chosen, instead, samples, len(repeated) > 1, tie)


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
