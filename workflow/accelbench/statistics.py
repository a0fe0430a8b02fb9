"""Statistics of sequences of numbers: confidence intervals, variance, autocorrelation, quartile."""

import itertools
import math
from functools import cache
from statistics import fmean, geometric_mean, median

__all__ = [
    "autocorrelation", "geometric_mean", "half_width", "lower_quartile", "mean_interval", "median", "rank_interval",
    "single_interval", "student_interval", "variance",
]  # fmt: skip


@cache
def _rank(count, confidence):
    """Return the largest r so that order statistics r and count-1-r enclose the median with `confidence`.

    Order statistics are counted from 0. Return -1 if `count` samples are too few.
    """
    tail, rank = 0.0, -1
    for successes in range(count // 2):
        tail += math.comb(count, successes) / 2**count
        if tail > (1 - confidence) / 2:
            break
        rank = successes
    return rank


def rank_interval(samples, confidence=0.95):
    """Return the distribution-free confidence interval of the median; (-inf, inf) for too few samples.

    Source: Hettmansperger and McKean, Robust Nonparametric Statistical Methods, section 1.11.
    """
    rank = _rank(len(samples), confidence)
    if rank < 0:
        return -math.inf, math.inf
    ordered = sorted(samples)
    return ordered[rank], ordered[-1 - rank]


def mean_interval(repetitions, confidence=0.95):
    """Return the confidence interval of the geometric mean of the repetitions' medians.

    repetitions  list with a list of samples for each repetition

    The interval is the exponential of Student's interval of the medians' logarithms. For a single repetition, return
    the single_interval of its samples, which ignores the variation between repetitions.
    """
    if len(repetitions) == 1:
        return single_interval(repetitions[0], confidence)
    return student_interval([math.log(median(samples)) for samples in repetitions], confidence)


def single_interval(samples, confidence=0.95):
    """Return the rank_interval of one repetition's samples, or their range if they are too few for it."""
    low, high = rank_interval(samples, confidence)
    return (low, high) if math.isfinite(low) else (min(samples), max(samples))


def student_interval(logs, confidence=0.95):
    """Return Student's confidence interval of the geometric mean of two or more values, given their logarithms."""
    from scipy.special import stdtrit

    logs = list(logs)
    half = float(stdtrit(len(logs) - 1, (1 + confidence) / 2)) * math.sqrt(variance(logs) / len(logs))
    return math.exp(fmean(logs) - half), math.exp(fmean(logs) + half)


def half_width(samples, confidence=0.95):
    """Return half the width of the rank interval divided by the median (0.02 for +-2 %), or inf for too few samples."""
    low, high = rank_interval(samples, confidence)
    middle = median(samples)
    return (high - low) / 2 / middle if math.isfinite(low) and middle > 0 else math.inf


def autocorrelation(samples):
    """Return the lag-1 autocorrelation; None for fewer than 3 samples or constant samples."""
    if len(samples) < 3:
        return None
    mean = fmean(samples)
    deviations = [s - mean for s in samples]
    total = sum(d * d for d in deviations)
    return sum(a * b for a, b in itertools.pairwise(deviations)) / total if total else None


def variance(values):
    """Return the sample variance of at least two values.

    Sums are computed in floats. The standard library's statistics.variance adds fractions and takes 30 times as long.
    """
    mean = fmean(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


def lower_quartile(values):
    """Return the lower quartile, interpolated as by numpy.percentile."""
    ordered = sorted(values)
    place = (len(ordered) - 1) / 4
    below = int(place)
    if below + 1 == len(ordered):
        return ordered[below]
    return ordered[below] + (place - below) * (ordered[below + 1] - ordered[below])
