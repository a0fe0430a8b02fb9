"""Variance of ratios on a machine, between repetitions and between runs, and the confidence intervals of ratios.

The variance of five repetitions is a poor estimate. An interval computed from this variance alone may be half or twice
as wide as it should be. So each variance is moderated by a prior (G. K. Smyth, Statistical Applications in Genetics
and Molecular Biology 3, 2004). All comparisons of the same kind on a machine share a prior: comparisons of times on the
cores, of times on a device, or of one time on each. The prior has d0 degrees of freedom and a standard deviation s0.
Both d0 and s0 are estimated from the variances of the comparisons.

There are three nested levels: repetitions in a run, runs on an instance of the machine, and instances, such as GPUs or
nodes of a cluster. Repetitions of one run on one instance are a batch. Repetitions of one batch cannot show the
variance between batches. Runs on one instance cannot show the variance between instances. Each level has its own prior.
The prior of runs is estimated if enough cases were measured in several runs. The prior of instances is estimated if
enough cases were measured on several instances. Otherwise, the prior is a usual value. A mean is taken first over the
repetitions of a run, then over the runs on an instance, then over instances.

Each repetition runs on one instance. Only `compare_unpaired` divides times from different instances by each other, and
only if its two sets share at most one instance. Two cases with too few shared repetitions are compared on each
instance on which both cases were measured.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from statistics import fmean
from typing import NamedTuple

from accelbench.analysis.priors import (
    BESIDE_GPU_SPREAD,
    DEVICE,
    FEWEST,
    HOST,
    LEAST_SPREADS,
    MIXED,
    USUAL,
    USUAL_INSTANCES,
    USUAL_SPREADS,
    Prior,
    RunSpread,
    family,
    fit,
    usual_of_cores,
)
from accelbench.analysis.samples import Samples, among, level, log_ratio, pseudo_values
from accelbench.analysis.verdicts import SAME_WITHIN, SAME_WITHIN_VIRTUAL, Comparison, judge
from accelbench.statistics import median, variance

CONFIDENCE = 0.95
MOST_SPREAD = 2.0  # Upper limit of the result of spread_seen; exp(2) is a factor of seven
BATCH_FREEDOM = 4.0  # Degrees of freedom of the prior variance between batches
# Two-sided 95 % and 75 % quantiles of Student's t with BATCH_FREEDOM degrees of freedom
OF_RUNS, THREE_OF_FOUR = 2.776, 1.344
CHI_SQUARE_MEDIAN = 0.4549  # Median of the chi-square distribution with one degree of freedom


@dataclass
class Scatter:
    """Priors of the variance of ratios on one machine.

    same_within  relative difference from 1 up to which a ratio is SAME
    priors       {kind: Prior} between repetitions; missing kinds of DEVICE_25_US and DEVICE_10_US use that of DEVICE
    runs         {kind: RunSpread} between runs; DEVICE_25_US and DEVICE_10_US, if missing, use that of DEVICE
    of_instances {kind: Prior} between instances, without the variance that runs and repetitions explain
    batches      {repetition: its batch}; all missing repetitions together form one batch
    instances    {repetition: instance of the machine}; all missing repetitions belong to one instance
    confidence   confidence level of intervals
    first_look   whether a single repetition gets an interval, which is computed from the prior alone
    """

    same_within: float = SAME_WITHIN
    priors: dict[str, Prior] = field(default_factory=lambda: dict(USUAL))
    runs: dict[str, RunSpread] = field(default_factory=lambda: dict(USUAL_SPREADS))
    of_instances: dict[str, Prior] = field(default_factory=lambda: dict(USUAL_INSTANCES))
    batches: Mapping[str, str] = field(default_factory=dict)
    instances: Mapping[str, str] = field(default_factory=dict)
    confidence: float = CONFIDENCE
    first_look: bool = False

    def prior(self, kind: str) -> Prior:
        """Return the Prior of a kind of ratio."""
        return self.priors.get(kind) or self.priors[family(kind)]

    def spread(self, kind: str) -> RunSpread:
        """Return the RunSpread of a kind of ratio."""
        return self.runs.get(kind) or self.runs[family(kind)]

    def set_prior(self, kind: str, prior: Prior):
        """Set the Prior of one of KINDS. For DEVICE, also remove the separate Priors of short calls."""
        self.priors = {name: known for name, known in self.priors.items() if family(name) != kind} | {kind: prior}

    def compare(self, first: Samples, second: Samples, kind: str = HOST) -> Comparison:
        """Return the Comparison of two cases sampled in the same rounds: the speedup of the second over the first."""
        return self.judge(pseudo_values(log_ratio, first, second, mean=self._mean), kind)

    def judge(self, logs: Mapping[str, float], kind: str = HOST) -> Comparison:
        """Return the Comparison of `logs`, {repetition: log ratio} or {repetition: log time}. One repetition gives a
        ratio without an interval, except if `first_look` is set. Without repetitions, the Comparison is empty."""
        if len(logs) < 2 - self.first_look or not logs:
            return Comparison(math.exp(fmean(logs.values()))) if logs else Comparison()
        levels = self._levels(logs, kind)
        half, half_next = self._over_instances(levels, kind) if len(levels.split) > 1 else self._over_runs(levels)
        return judge(fmean(levels.means), half, half_next=half_next, same_within=self.same_within)

    def _levels(self, logs, kind):
        split = self._by_instance(logs)
        within = _within([batch for batches in split for batch in batches], self.prior(kind))
        return _Levels(split, within, self._between(split, within.variance, kind))

    def _over_runs(self, levels):
        """Return the half widths of the confidence interval and of the prediction interval, for a single instance."""
        (batches,) = levels.split
        within, several = levels.within, len(batches)
        residual = within.variance * _share_of_repetitions(batches)
        other = levels.between / several if several > 1 else 0.0
        freedom = within.freedom
        if other:
            freedom = (residual + other) ** 2 / (residual**2 / freedom + other**2 / (BATCH_FREEDOM + several - 1))
        half = _quantile(freedom, self.confidence) * math.sqrt(residual + other)
        later = _quantile(within.freedom, self.confidence) * math.sqrt(residual + levels.once - levels.between)
        return half, math.hypot(later, OF_RUNS * math.sqrt(levels.between * (1 + 1 / several)))

    def _over_instances(self, levels, kind):
        """Return the half widths of the confidence interval and of the prediction interval, for several instances."""
        count = len(levels.split)
        quantile, total = self._of_instances(levels.means, levels.explained, kind)
        runs = sum(map(len, levels.split)) / count
        half, later = (quantile * math.sqrt(total * share) for share in (1 / count, 1 + 1 / count))
        # In the next measurement, the mean of an instance comes from one run
        return half, math.hypot(later, OF_RUNS * math.sqrt(levels.once * (1 - 1 / runs)))

    def _of_instances(self, means, explained, kind):
        """Return (quantile of Student's t, moderated variance of the mean of an instance).

        means      mean log ratio of each instance
        explained  part of this variance that repetitions and runs explain
        """
        prior, count = self.of_instances[family(kind)], len(means)
        freedom = prior.freedom + count - 1
        total = (prior.freedom * (prior.deviation**2 + explained) + (count - 1) * variance(means)) / freedom
        return _quantile(freedom, self.confidence), max(total, explained)

    def indirect(self, first: Samples, second: Samples, baseline: Samples, *, kind: str = HOST) -> Comparison:
        """Return the Comparison of two cases measured in different repetitions, each beside the same baseline. A
        disturbance of a repetition slows the baseline and the case equally. So the method compares the ratios of both
        cases to the baseline. Two times on a device are compared directly, since they share no disturbance with the
        baseline. The Comparison is empty if the cases share no instance."""
        first, second = self._on_the_same(first, second)
        if family(kind) == DEVICE:
            logs = [pseudo_values(lambda rounds: -level(rounds), side, mean=self._mean) for side in (first, second)]
        else:
            logs = [pseudo_values(log_ratio, baseline, side, mean=self._mean) for side in (first, second)]
        shares = [self._runs_apart(*pair) for pair in self._on_each(*logs)]
        return self.compare_unpaired(logs[0], logs[1], kind, runs=fmean(shares) if shares else 1.0)

    def compare_unpaired(
        self, first: Mapping[str, float], second: Mapping[str, float], kind: str = HOST, *, runs: float = 1.0
    ):
        """Return the Comparison of two sets of {repetition: log speed}: the mean speed of the second over the first.

        runs  share of the variance between runs that affects the ratio: 1 if the sets come from different runs, 0 if
              they come from the same run
        """
        if not first or not second:
            return Comparison()
        if len(pairs := self._on_each(first, second)) > 1:
            return self._on_several(pairs, kind, runs)
        both = [self._batches(logs) for logs in (first, second)]
        means = [fmean(map(fmean, batches)) for batches in both]
        difference = means[1] - means[0]
        if min(len(first), len(second)) < 2:
            return Comparison(math.exp(difference))
        parts = [(_within(batches, self.prior(kind)), _share_of_repetitions(batches)) for batches in both]
        total = sum(part.variance * share for part, share in parts)
        freedom = total**2 / sum((part.variance * share) ** 2 / part.freedom for part, share in parts)
        residual, of_runs = (
            _quantile(freedom, self.confidence) * math.sqrt(total),
            OF_RUNS * self.spread(kind).deviation,
        )
        half = math.hypot(residual, of_runs * math.sqrt(runs))
        return judge(difference, half, half_next=math.hypot(half, residual, of_runs), same_within=self.same_within)

    def _on_several(self, pairs, kind, runs):
        """Return the Comparison of two sets of log speeds, given as one pair (first, second) for each instance."""
        between_runs = self.spread(kind).deviation ** 2
        means, explained = [], runs * between_runs
        for side in zip(*pairs, strict=True):
            split = [self._batches(logs) for logs in side]
            means.append([fmean(map(fmean, batches)) for batches in split])
            within = _within([batch for batches in split for batch in batches], self.prior(kind))
            explained += within.variance * fmean(map(_share_of_repetitions, split))
        differences = [second - first for first, second in zip(*means, strict=True)]
        quantile, total = self._of_instances(differences, explained, kind)
        half = quantile * math.sqrt(total / len(pairs))
        half_next = math.hypot(half, quantile * math.sqrt(total), OF_RUNS * math.sqrt((1 - runs) * between_runs))
        return judge(fmean(differences), half, half_next=half_next, same_within=self.same_within)

    def between(self, first: Samples, second: Samples, baseline: Samples | None, *, kind: str = HOST) -> Comparison:
        """Return the Comparison of any two cases: the speedup of the second over the first. If the cases share at least
        two repetitions, the Comparison is paired by round; see `compare`. One repetition is enough if `first_look` is
        set. Otherwise each case is compared with the baseline; see `indirect`. Without a baseline, the Comparison is
        always paired."""
        shared = [name for name, rounds in first.items() if rounds and second.get(name)]
        if baseline is None or len(shared) >= 2 - self.first_look:
            return self.compare(first, second, kind)
        return self.indirect(first, second, baseline, kind=kind)

    def _batches(self, logs):
        batches = defaultdict(list)
        for repetition, value in logs.items():
            batches[self.batches.get(repetition, "")].append(value)
        return list(batches.values())

    def _runs_apart(self, first, second):
        """Return the share of the variance between runs that affects the difference of two means. It is 0 if both
        means have the same runs, and 1 if each mean has one run and the runs differ. The share is half the sum of
        (weight of a run in the first mean - weight in the second mean)**2 over all runs."""
        shares = defaultdict(float)
        for sign, logs in ((1, first), (-1, second)):
            names = {self.batches.get(repetition, "") for repetition in logs}
            for name in names:
                shares[name] += sign / len(names)
        return sum(share**2 for share in shares.values()) / 2

    def _mean(self, logs):
        """Return the mean of `logs`, taken first over the repetitions of a run, then over runs, then over instances."""
        return fmean(fmean(map(fmean, batches)) for batches in self._by_instance(logs))

    def _by_instance(self, logs):
        """Return the batches of `logs`, as one list for each instance."""
        split = defaultdict(dict)
        for repetition, value in logs.items():
            split[self.instances.get(repetition, "")][repetition] = value
        return [self._batches(repetitions) for repetitions in split.values()]

    def _on_the_same(self, *both):
        """Return both Samples, restricted to the instances on which both cases were measured."""
        first, second = ({self.instances.get(repetition, "") for repetition in side} for side in both)
        shared = first & second
        return [among(side, {name for name in side if self.instances.get(name, "") in shared}) for side in both]

    def _on_each(self, *both):
        """Return a pair (first, second) of {repetition: value} for each instance that both mappings share."""
        split = [defaultdict(dict), defaultdict(dict)]
        for repetitions, by_instance in zip(both, split, strict=True):
            for repetition, value in repetitions.items():
                by_instance[self.instances.get(repetition, "")][repetition] = value
        first, second = split
        return [(first[instance], second[instance]) for instance in first if instance in second]

    def _between(self, split, within, kind):
        """Return the variance between runs on one instance, without the part that repetitions explain."""
        prior, several = self.spread(kind).deviation ** 2 / 2, [group for group in split if len(group) > 1]
        freedom = sum(len(group) - 1 for group in several)
        squares = sum(
            (len(group) - 1)
            * max(0.0, variance([fmean(batch) for batch in group]) - within * fmean(1 / len(batch) for batch in group))
            for group in several
        )
        return (BATCH_FREEDOM * prior + squares) / (BATCH_FREEDOM + freedom)


class _Levels(NamedTuple):
    """Log ratios by instance and run, with moderated variances of repetitions (`within`) and of runs (`between`)."""

    split: list[list[list[float]]]
    within: "_Within"
    between: float

    @property
    def means(self):
        return [fmean(map(fmean, group)) for group in self.split]

    @property
    def explained(self):
        """Return the variance of an instance's mean that its repetitions and runs explain."""
        return fmean(
            self.within.variance * _share_of_repetitions(group) + self.between / len(group) for group in self.split
        )

    @property
    def once(self):
        """Return the variance of the mean of one run with the average number of repetitions."""
        batches = [batch for group in self.split for batch in group]
        return self.between + self.within.variance * len(batches) / sum(map(len, batches))


def spread_seen(compared: Iterable[Comparison], assumed: float) -> float:
    """Return the standard deviation of changes between two runs that repetitions do not explain, at least `assumed`.

    Up to a quarter of the cases may differ for other reasons.

    compared  Comparisons of cases that did not change between the two runs, with intervals computed from `assumed`
    """
    logs = [(math.log(pair.ratio), math.log(pair.high)) for pair in compared if pair.ratio and pair.high]
    common = median([ratio for ratio, _ in logs])

    def beyond(deviation):
        """Return how far the upper quartile of the standardised ratios is above its expected value."""
        added = OF_RUNS * math.sqrt(deviation**2 - assumed**2)
        shares = sorted(abs(ratio - common) / math.hypot(high - ratio, added) for ratio, high in logs)
        return shares[math.ceil(0.75 * len(shares)) - 1] - THREE_OF_FOUR / OF_RUNS

    low, high = assumed, MOST_SPREAD
    if beyond(low) <= 0:
        return assumed
    while high - low > 0.01 * low:
        middle = (low + high) / 2
        low, high = (middle, high) if beyond(middle) > 0 else (low, middle)
    return high


class _Within(NamedTuple):
    variance: float
    freedom: float


def _within(batches, prior):
    """Return the moderated variance of repetitions within batches, with its degrees of freedom."""
    squares, freedom = _squares(batches)
    return _Within((prior.freedom * prior.deviation**2 + squares) / (prior.freedom + freedom), prior.freedom + freedom)


def _share_of_repetitions(batches):
    """Return the variance of the mean of batch means, divided by the variance of repetitions."""
    return fmean(1 / len(batch) for batch in batches) / len(batches)


def _squares(batches):
    """Return (sum of squared deviations of values from the mean of their batch, degrees of freedom of this sum)."""
    squares = sum(math.fsum((value - fmean(batch)) ** 2 for value in batch) for batch in batches)
    return squares, sum(len(batch) - 1 for batch in batches)


def estimate(
    pools: Mapping[str, Iterable[Mapping[str, float]]],
    *,
    virtualised: bool,
    gpu: bool,
    batches,
    instances=None,
    known: Mapping[str, Prior] | None = None,
) -> Scatter:
    """Return the Scatter of a machine, estimated from comparisons on this machine.

    A kind with fewer than FEWEST comparisons takes its prior from `known`, or else the usual prior.

    pools        {kind: {repetition: log ratio} of each comparison}
    virtualised  whether the machine is virtual
    gpu          whether the machine has a GPU
    batches, instances  as in Scatter
    known        {kind: Prior} of earlier measurements on the machine
    """
    scatter = Scatter(SAME_WITHIN_VIRTUAL if virtualised else SAME_WITHIN, batches=batches, instances=instances or {})
    for kind in (HOST, MIXED) if gpu else ():
        scatter.runs[kind] = BESIDE_GPU_SPREAD
    for kind, prior in (usual_of_cores(virtualised=virtualised, gpu=gpu) | dict(known or {})).items():
        scatter.set_prior(kind, prior)
    for kind, comparisons in pools.items():
        repeated = [logs for logs in comparisons if len(logs) > 1]
        split = [scatter._batches(logs) for logs in repeated]
        variances = [(squares / freedom, freedom) for squares, freedom in map(_squares, split) if squares and freedom]
        if len(variances) >= FEWEST:
            scatter.set_prior(kind, fit(variances))
        by_instance = (batches for logs in repeated for batches in scatter._by_instance(logs))
        several = [batches for batches in by_instance if len(batches) > 1]
        if len(several) >= FEWEST:
            scatter.runs[kind] = _spread(several, scatter.prior(kind), LEAST_SPREADS[kind])
        spread = [levels for logs in repeated if len((levels := scatter._levels(logs, kind)).split) > 1]
        if len(spread) >= FEWEST:
            scatter.of_instances[kind] = _instances(spread, LEAST_SPREADS[kind])
    return scatter


def _instances(spread, least):
    """Return the Prior of instances, from the _Levels of comparisons on several instances. The prior variance is the
    common variance of the instances' means, less the variance that runs and repetitions explain."""
    fitted = fit([(variance(levels.means), len(levels.means) - 1) for levels in spread if variance(levels.means)])
    beyond = fitted.deviation**2 - median([levels.explained for levels in spread])
    return Prior(math.sqrt(max(beyond, least**2)), fitted.freedom)


def _spread(several, prior, least):
    """Return the RunSpread of comparisons that were made in at least two batches. The estimate is a median, so
    that a few comparisons with exceptional changes hardly affect it."""
    excess = []
    for batches in several:
        within = _within(batches, prior).variance
        difference = fmean(batches[-1]) - fmean(batches[0])
        excess.append(difference**2 / CHI_SQUARE_MEDIAN - within * (1 / len(batches[0]) + 1 / len(batches[-1])))
    return RunSpread(max(math.sqrt(max(median(excess), 0.0)), least), max(map(len, several)))


@cache
def _quantile(freedom, confidence):
    """Return the two-sided quantile of Student's t. The function avoids scipy.stats, which is slow to import."""
    from scipy.special import stdtrit  # lazy import, to speed up Snakemake's processes, which import this module

    return float(stdtrit(freedom, (1 + confidence) / 2))
