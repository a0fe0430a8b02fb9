"""Choose the best of several candidates by leave-one-repetition-out, so that its reported time is not biased.

The lowest of many noisy times is too low, and the bias grows with the number of candidates. A repetition cannot be
split into a half that chooses and a half that reports, since both halves have the same memory placement. So each
repetition reports the time of the candidate that all other repetitions choose.
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
    """Return the keys sorted by their mean log time over all repetitions except `without`, the fastest first.

    levels  {key: {repetition: logarithm of its time}}
    """
    remaining = {key: [level for name, level in times.items() if name not in without] for key, times in levels.items()}
    means = {key: fmean(values) for key, values in remaining.items() if values}
    return sorted(means, key=means.__getitem__)


@dataclass(frozen=True, eq=False)
class Best:
    """The fastest of several candidates by one kind of time.

    case          the candidate that all repetitions together choose, mostly a Case
    kind          the kind of time
    samples       reported samples: in each repetition, samples of the candidate that the other repetitions chose
    chosen        {repetition: candidate that the other repetitions chose among those measured in this one}
    instead       {left-out repetition: {repetition: candidate chosen without both}}, where it differs from `chosen`
    candidates    number of candidates with a time
    held_out      whether the choice was leave-one-out: several candidates have several repetitions
    tie           `case` and the candidates that tie with it, fastest first; empty without a verdict
    undetermined  candidates not significantly slower than `case`, though one with a lower time is
    compared      {another candidate: Comparison with the speedup of the best over it}; empty if not computed
    beside        seconds by the model of `effects`; None if `seconds` is computed from `samples`
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
        """Return the 95 % interval of `seconds`; None for one repetition, which shows no variation of repetitions."""
        return self.ends if len(self.samples) > 1 else None

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Return the ends of the 95 % interval of `seconds`; see single_interval for a single repetition."""
        return self._around(*_student(self.samples))

    @cached_property
    def moderated(self) -> tuple[float, float]:
        """Return the 95 % interval of `seconds`, moderated by the prior variance of its machine."""
        return self._around(*interval(self.samples, self.case.scatter, self.case.pool(self.kind, self.case)))

    def _around(self, low, high):
        by = self.seconds / seconds(self.samples)
        return low * by, high * by

    @property
    def decision(self) -> str:
        return TIE if len(self.tie) > 1 else WINNER if self.tie else ONE_PROCESS

    @property
    def incomparable(self) -> list:
        """Return the candidates whose comparison with the best has no verdict."""
        return [key for key, compared in self.compared.items() if compared.verdict is None]

    def samples_of(self, kind) -> Samples:
        """Return the chosen candidates' samples of another kind of time."""
        return reported(self.chosen, self.instead, lambda case: case.samples(kind))

    @cached_property
    def speedup(self) -> Comparison:
        """Return the Comparison with the baseline. The baseline itself has the ratio 1 and no verdict."""
        return self.case.speedup(self.kind, self)

    def verdict_against(self, other: "Best") -> str | None:
        """Return the verdict on the speedup over another machine's Best; None if either has no interval.

        The verdict combines both intervals, since times of two machines are not paired by round.
        """
        if self.interval is None or other.interval is None:
            return None
        half = math.hypot(*(math.log(high / low) / 2 for low, high in (self.interval, other.interval)))
        within = max(best.case.scatter.same_within for best in (self, other))
        return judge(math.log(other.seconds / self.seconds), half, half_next=half, same_within=within).verdict


def seconds(samples: Samples) -> float:
    """Return the seconds of samples: the geometric mean over repetitions of their medians."""
    return geometric_mean([median(rounds.values()) for rounds in samples.values()])


def _student(samples):
    """Return the 95 % interval of the seconds of samples, by their own variance over repetitions, without a prior."""
    if len(samples) == 1:
        return single_interval([s for rounds in samples.values() for s in rounds.values()])
    return student_interval(pseudo_values(lambda rounds: math.log(median(rounds.values())), samples).values())


def interval(samples: Samples, scatter, kind: str) -> tuple[float, float]:
    """Return the 95 % interval of the seconds of samples, moderated by the Scatter's prior of a kind of time.

    The interval of a single repetition contains no variation between repetitions, except in a first look.
    """
    comparison = scatter.judge(pseudo_values(lambda rounds: math.log(median(rounds.values())), samples), kind)
    return _student(samples) if comparison.low is None or comparison.high is None else (comparison.low, comparison.high)


def choose(
    candidates: Mapping[Any, Samples],
    compare: Callable[[Any, Any, Samples], Comparison] | None = None,
    *,
    kind: Any = "compute",
    times: Mapping[Any, Mapping[str, float]] | None = None,
) -> Best | None:
    """Return the Best among {key: Samples}; None if nothing was sampled.

    compare   compare(key, best, samples) returns the Comparison with the speedup of the best over a key, where
              `samples` are the reported samples of the best; None if ties are not needed
    times     {key: {repetition: logarithm of its time}} for ranking keys; computed from the samples by default
    """
    candidates = {key: samples for key, samples in candidates.items() if any(samples.values())}
    if not candidates:
        return None
    times = times or {key: levels(samples) for key, samples in candidates.items()}
    # A candidate with a single repetition has no interval. It is the best only if no candidate has several.
    repeated = {key: times[key] for key, samples in candidates.items() if sum(map(bool, samples.values())) > 1}
    best, count = ranked(repeated or times)[0], len(candidates)
    if best not in repeated:
        return Best(best, kind, candidates[best], dict.fromkeys(candidates[best], best), candidates=count)
    chosen, instead = _leave_out(repeated, candidates[best])
    choice = Best(
        best, kind, reported(chosen, instead, candidates.__getitem__), chosen, instead, count, len(repeated) > 1
    )
    if not compare:
        return choice
    compared = {key: compare(key, best, choice.samples) for key in ranked(times) if key != best}
    tie, undetermined = tied({key: comparison.verdict for key, comparison in compared.items()})
    return replace(choice, tie=(best, *tie), undetermined=undetermined, compared=compared)


def reported(chosen: Mapping[str, Any], instead: Mapping[str, Mapping[str, Any]], samples_of) -> Chosen:
    """Return the Chosen samples of `chosen` and `instead`. A repetition is omitted if its key has no samples in it.

    samples_of  samples_of(key) returns the Samples of a key
    """

    def of(keys):
        samples = {repetition: samples_of(key).get(repetition) for repetition, key in keys.items()}
        return {repetition: rounds for repetition, rounds in samples.items() if rounds}

    return Chosen(of(chosen), {repetition: of(keys) for repetition, keys in instead.items()})


def _leave_out(times, repetitions):
    """Return (chosen, instead) of a Best.

    The key of a repetition is the fastest by all other repetitions, among the keys measured in it.
    """
    if len(times) == 1:
        return dict.fromkeys(repetitions, *times), {}
    order = cache(partial(ranked, times))

    def fastest(repetition, *others):
        return next((key for key in order(frozenset((repetition, *others))) if repetition in times[key]), None)

    chosen = {name: key for name in repetitions if (key := fastest(name)) is not None}
    instead = {}
    for left_out in chosen:
        alternatives = {name: fastest(name, left_out) for name in chosen if name != left_out}
        instead[left_out] = {name: key for name, key in alternatives.items() if key not in (None, chosen[name])}
    return chosen, {name: others for name, others in instead.items() if others}
