"""Choosing the best among several, so that what is reported had no part in the choice.

The lowest of many noisy times is too low, and the more candidates there are the more so. Halves of one repetition do
not help: what is fast there by luck of memory placement is so in both. So each repetition's time is that of whichever
candidate all the other repetitions chose (leave one out).
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from accelbench.analysis.samples import Samples, levels, log_ratios
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
            self._ratios = {key: log_ratios(candidates[key], baseline) for key in self._times}

    def ranked(self, keys: Iterable[Hashable] | None = None, without: str | None = None) -> list[Hashable]:
        """`keys`, all where None, fastest first, by what was measured in any repetition but `without`.

        Keys measured in different repetitions are ranked by their ratios to the baseline, those in `devices` by half of
        them and half of their plain times; what shares no repetition with the baseline is left out. Without a baseline
        their plain times must do.
        """
        keys = self._times.keys() if keys is None else keys
        found = {key: level for key in keys if (level := self._against_baseline(key, without)) is not None}
        found = found or {key: level for key in keys if (level := self._level(key, without)) is not None}
        return sorted(found, key=lambda key: found[key])

    def _level(self, key, without):
        return _mean(value for name, value in self._times.get(key, {}).items() if name != without)

    def _against_baseline(self, key, without):
        ratio = _mean(value for name, value in self._ratios.get(key, {}).items() if name != without)
        if ratio is None or key not in self._devices:
            return ratio
        shared = [name for name in self._times[key] if name in self._usual and name != without]
        return (ratio + fmean(self._times[key][name] for name in shared) - fmean(self._usual.values())) / 2


def _mean(values):
    values = list(values)
    return fmean(values) if values else None


@dataclass(frozen=True)
class Choice:
    """The best among several candidates.

    best      its key: what all repetitions together choose
    chosen    {repetition: the key of what the others chose of all that it holds}: that is reported of it
    samples   what is reported
    held_out  whether there were others
    tie       best and all that tie with it, fastest first; empty without a verdict
    """

    best: Any
    chosen: Mapping[str, Any]
    samples: Samples
    held_out: bool
    tie: tuple = ()


def choose(
    candidates: Mapping[Any, Samples],
    verdict: Callable[[Any, Any, Samples], str | None],
    *,
    baseline: Samples | None = None,
    devices=(),
) -> Choice | None:
    """The Choice among {key: Samples}, None where nothing was sampled.

    verdict   verdict(key, best, samples): whether the best, of which these are reported, is FASTER than another
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
        return Choice(best, dict.fromkeys(candidates[best], best), candidates[best], False)
    chosen = {}
    for repetition in candidates[best]:  # of each, what the others find fastest of all that have it
        ranked = field.ranked(repeated, without=repetition)
        if held := [key for key in ranked if candidates[key].get(repetition)]:
            chosen[repetition] = held[0]
    reported = {repetition: candidates[key][repetition] for repetition, key in chosen.items()}
    others = [key for key in field.ranked() if key != best]
    verdicts = {key: verdict(key, best, reported) for key in others}
    return Choice(best, chosen, reported, len(repeated) > 1, (best, *tied(verdicts)[0]))
