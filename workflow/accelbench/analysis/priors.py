"""Priors of the variance between repetitions, estimated on a machine, and usual variances of a kind of machine.

A prior is the typical variance of a machine's ratios, with a weight. The variance of each ratio is averaged with the
prior, since few repetitions give a poor estimate. This is the moderated variance of G. K. Smyth (Statistical
Applications in Genetics and Molecular Biology 3, 2004). The prior has d0 degrees of freedom (its weight) and a standard
deviation s0. This module estimates d0 and s0 from the mean and the variance of the logarithms of sample variances.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from statistics import fmean
from typing import NamedTuple

from accelbench.statistics import variance

# Kinds of ratios: both times were measured on cores, both on a device, or one on each
HOST, DEVICE, MIXED = KINDS = ("host", "device", "mixed")
# Kinds of ratios of two times on a device, if the shorter time is at most 25 us or 10 us. Their usual priors differ
# from the usual prior of DEVICE.
DEVICE_25_US, DEVICE_10_US = "device to 25 us", "device to 10 us"
FEWEST = 10  # Minimum number of comparisons for the estimate of a prior
LEAST_FREEDOM, MOST_FREEDOM = 1.0, 4.0  # Minimum and maximum degrees of freedom of an estimated prior


class Prior(NamedTuple):
    """Prior standard deviation of log ratios between repetitions or instances, and degrees of freedom (weight)."""

    deviation: float
    freedom: float


class RunSpread(NamedTuple):
    """Standard deviation of the difference of a log ratio between two runs, without the part that repetitions explain.

    The variance of a log ratio between runs is half the square of this deviation.

    runs  largest number of runs in any comparison that the estimate uses; 0 for the usual value of machines of this
          kind
    """

    deviation: float
    runs: int = 0


# Usual priors, from sweeps of the published examples, for machines with fewer than FEWEST comparisons of a kind
USUAL = {
    HOST: Prior(0.013, 1.5), MIXED: Prior(0.013, 1.5),
    DEVICE: Prior(0.002, 1.0), DEVICE_25_US: Prior(0.01, 1.1), DEVICE_10_US: Prior(0.022, 4.0),
}  # fmt: skip
VIRTUAL, BESIDE_GPU = Prior(0.025, 1.5), Prior(0.1, 1.5)  # Usual priors of cores: on a VM, on a machine with a GPU
# Usual RunSpreads, from pairs of sweeps of the published machines
USUAL_SPREADS = {
    HOST: RunSpread(0.014), MIXED: RunSpread(0.014), DEVICE: RunSpread(0.002), DEVICE_10_US: RunSpread(0.03),
}  # fmt: skip
BESIDE_GPU_SPREAD = RunSpread(0.021)  # Usual RunSpread of the cores of a machine with a GPU
LEAST_SPREADS = {HOST: 0.01, DEVICE: 0.001, MIXED: 0.01}  # Lower limits of estimated deviations of runs and instances
# Usual priors of instances, for fewer than FEWEST comparisons on several instances. These wide guesses exclude the
# variance of runs.
USUAL_INSTANCES = {HOST: Prior(0.04, 1.5), DEVICE: Prior(0.02, 1.5), MIXED: Prior(0.04, 1.5)}
DISTURBED = 3.0  # Factor by which a usual deviation is larger if other processes use the CPUs


def family(kind: str) -> str:
    """Return the member of KINDS that a kind of ratio belongs to."""
    return DEVICE if kind.startswith(DEVICE) else kind


def usual_of_cores(*, virtualised: bool, gpu: bool, disturbed: bool = False) -> dict[str, Prior]:
    """Return {kind: Prior} of the ratios that involve times on cores, for a machine without estimated priors.

    virtualised  whether the machine is virtual
    gpu          whether the machine has a GPU
    disturbed    whether other processes use the machine's CPUs
    """
    prior = BESIDE_GPU if gpu else VIRTUAL if virtualised else USUAL[HOST]
    return dict.fromkeys((HOST, MIXED), prior._replace(deviation=prior.deviation * (DISTURBED if disturbed else 1.0)))


class Moments(NamedTuple):
    """Number, sum and sum of squares of logarithms of variances. Each variance has one degree of freedom."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    @classmethod
    def of(cls, pools: Mapping[str, Iterable[Mapping[str, float]]]) -> "dict[str, Moments]":
        """Return {kind: Moments} of the comparisons that were made in exactly two repetitions.

        pools  {kind: {repetition: log ratio} of each comparison}
        """
        moments = {}
        for kind, comparisons in pools.items():
            pairs = [list(logs.values()) for logs in comparisons if len(logs) == 2]
            logs = [math.log((first - second) ** 2 / 2) for first, second in pairs if first != second]
            moments[kind] = cls(len(logs), math.fsum(logs), math.fsum(log**2 for log in logs))
        return moments

    @classmethod
    def priors(cls, several: "Iterable[Mapping[str, Moments]]") -> dict[str, Prior]:
        """Return {kind: Prior} of the kinds that have at least FEWEST variances in total.

        several  {kind: Moments} of each measurement
        """
        groups, priors = defaultdict(list), {}
        for measurement in several:
            for kind, moments in measurement.items():
                groups[kind].append(moments)
        for kind, group in groups.items():
            count, total, squares = map(math.fsum, zip(*group, strict=True))
            if count >= FEWEST:
                mean = total / count
                priors[kind] = _prior(mean - _centre(1), (squares - count * mean**2) / (count - 1), _excess(1))
        return priors


def fit(variances):
    """Return the Prior that fits pairs (variance, degrees of freedom), from moments of the variances' logarithms."""
    centred = [math.log(v) - _centre(d) for v, d in variances]
    return _prior(fmean(centred), variance(centred), fmean(_excess(d) for _, d in variances))


@cache
def _centre(freedom):
    """Return the mean of log(sample variance / true variance), given the sample variance's degrees of freedom."""
    from scipy.special import digamma

    return float(digamma(freedom / 2)) - math.log(freedom / 2)


@cache
def _excess(freedom):
    """Return the variance of the logarithm of a sample variance, given its degrees of freedom."""
    from scipy.special import polygamma

    return float(polygamma(1, freedom / 2))


def _prior(mean, spread, explained):
    """Return the Prior from the mean and the variance (`spread`) of log(sample variance) - _centre(degrees of freedom).

    explained  the variance that these logarithms would have if all true variances were equal
    """
    excess = spread - explained
    freedom = 2 * _trigamma_inverse(excess) if excess > 0 else MOST_FREEDOM
    freedom = min(max(freedom, LEAST_FREEDOM), MOST_FREEDOM)
    return Prior(math.exp((mean + _centre(freedom)) / 2), freedom)


def _trigamma_inverse(value):
    """Solve trigamma(x) = value for x, with value > 0, by Newton's method from Smyth's starting point."""
    from scipy.special import polygamma

    x = 0.5 + 1 / value
    for _ in range(50):
        trigamma = float(polygamma(1, x))
        step = trigamma * (1 - trigamma / value) / float(polygamma(2, x))
        x += step
        if abs(step) < 1e-9 * x:
            break
    return x
