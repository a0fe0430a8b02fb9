"""Choose the best of several candidates by leave-one-repetition-out, so that its reported time is not biased.

The lowest of many noisy times is too low, and this bias grows with the number of candidates. Therefore each repetition
reports the time of the candidate that all other repetitions choose. Half of a repetition cannot choose for the other
half, since both halves have the same memory placement.
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
    """Return the keys, the fastest first, sorted by mean log time over all repetitions except those in `without`.

    Keys that have no repetitions left are omitted.

    levels  {key: {repetition: logarithm of the key's time}}
    """
    remaining = {key: [level for name, level in times.items() if name not in without] for key, times in levels.items()}
    means = {key: fmean(values) for key, values in remaining.items() if values}
    return sorted(means, key=means.__getitem__)


@dataclass(frozen=True, eq=False)
class Best:
    """The fastest of several candidates by one kind of time.

    case          candidate that all repetitions together choose, usually a Case
    kind          kind of time
    samples       reported samples: in each repetition, samples of the candidate that the other repetitions choose
    chosen        {repetition: candidate that the other repetitions choose among candidates measured in this repetition}
    instead       {left-out repetition: {repetition: candidate chosen without both repetitions}}; contains only
                  candidates that differ from `chosen`
    candidates    number of candidates with a time
    held_out      whether leave-one-out was possible: several candidates have several repetitions
    tie           `case` and the candidates that tie with `case`, fastest first; empty if there are no verdicts
    undetermined  candidates not proven slower than `case`, although candidates with shorter times are proven slower
    compared      {another candidate: Comparison with the speedup of `case` over this candidate}; may be empty
    beside        seconds by the model in the module `effects`; if None, `seconds` is computed from `samples`
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
        """Return the 95 % interval of `seconds`; None if there is one repetition, which shows no variation."""
        return self.ends if len(self.samples) > 1 else None

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Return the ends of the 95 % interval of `seconds`, from single_interval if there is one repetition."""
        return self._around(*_student(self.samples))

    @cached_property
    def moderated(self) -> tuple[float, float]:
        """Return the 95 % interval of `seconds`; see the function `interval`."""
        return self._around(*interval(self.samples, self.case.scatter, self.case.pool(self.kind, self.case)))

    def _around(self, low, high):
        by = self.seconds / seconds(self.samples)
        return low * by, high * by

    @property
    def decision(self) -> str:
        return TIE if len(self.tie) > 1 else WINNER if self.tie else ONE_PROCESS

    @property
    def incomparable(self) -> list:
        """Return the candidates whose comparison with `case` has no verdict."""
        return [key for key, compared in self.compared.items() if compared.verdict is None]

    def samples_of(self, kind) -> Samples:
        """Return the chosen candidates' samples of another kind of time."""
        return reported(self.chosen, self.instead, lambda case: case.samples(kind))

    @cached_property
    def speedup(self) -> Comparison:
        """Return the Comparison with the baseline. If `case` is the baseline, the ratio is 1 without a verdict."""
        return self.case.speedup(self.kind, self)

    def verdict_against(self, other: "Best") -> str | None:
        """Return the verdict on the speedup over another machine's Best; None if either Best has no interval.

        Times of two machines are not paired by round, so the verdict combines the intervals of both times.
        """
        if self.interval is None or other.interval is None:
            return None
        half = math.hypot(*(math.log(high / low) / 2 for low, high in (self.interval, other.interval)))
        within = max(best.case.scatter.same_within for best in (self, other))
        return judge(math.log(other.seconds / self.seconds), half, half_next=half, same_within=within).verdict


def seconds(samples: Samples) -> float:
    """Return the geometric mean of the repetitions' medians, in seconds."""
    return geometric_mean([median(rounds.values()) for rounds in samples.values()])


def _student(samples):
    """Return the 95 % interval of the samples' seconds, computed from these repetitions alone, without a prior."""
    if len(samples) == 1:
        return single_interval([s for rounds in samples.values() for s in rounds.values()])
    return student_interval(pseudo_values(lambda rounds: math.log(median(rounds.values())), samples).values())


def interval(samples: Samples, scatter, kind: str) -> tuple[float, float]:
    """Return the 95 % interval of the samples' seconds, moderated by the Scatter's prior for `kind`, such as HOST.

    The interval comes from a weighted mean of the variance between these repetitions and the prior variance. The prior
    is the typical variance between repetitions on the machine. With one repetition, the interval contains no variation
    between repetitions, except if `scatter.first_look` is set.
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
    """Return the Best of `candidates`, {key: Samples}; None if no candidate has samples.

    compare   function compare(key, best, samples), or None if the caller needs no ties. The function returns the
              Comparison with the speedup of the best over the key. `samples` are the reported samples of the best.
    times     {key: {repetition: logarithm of the key's time}} for ranking keys; by default computed from the samples
    """
    candidates = {key: samples for key, samples in candidates.items() if any(samples.values())}
    if not candidates:
        return None
    times = times or {key: levels(samples) for key, samples in candidates.items()}
    # A candidate with one repetition has no interval. It can be the best only if no candidate has several repetitions.
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
    """Return the Chosen samples of the keys in `chosen` and `instead`; see Best for these mappings.

    A repetition is omitted if the chosen key has no samples in this repetition.

    samples_of  function that returns the Samples of a key
    """

    def of(keys):
        samples = {repetition: samples_of(key).get(repetition) for repetition, key in keys.items()}
        return {repetition: rounds for repetition, rounds in samples.items() if rounds}

    return Chosen(of(chosen), {repetition: of(keys) for repetition, keys in instead.items()})


def _leave_out(times, repetitions):
    """Return the fields `chosen` and `instead` of a Best.

    The key chosen for a repetition is the fastest by all other repetitions, among the keys measured in this repetition.
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
