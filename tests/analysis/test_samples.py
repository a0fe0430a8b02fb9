"""Tests of the ratios of two cases' samples, with NumPy's quantiles and with simulated disturbances."""

import math

import numpy as np
import pytest

from accelbench.analysis import samples


@pytest.mark.parametrize("count", [8, 9, 31])
def test_level_is_the_lower_quartile(count):
    seconds = np.random.default_rng(count).lognormal(size=count)
    assert samples.level(dict(enumerate(seconds))) == pytest.approx(math.log(np.quantile(seconds, 0.25)))


@pytest.mark.parametrize("count", [1, 2, 7])
def test_level_of_few_samples_is_their_median(count):
    seconds = np.random.default_rng(count).lognormal(size=count)
    assert samples.level(dict(enumerate(seconds))) == pytest.approx(math.log(np.median(seconds)))


def test_samples_that_may_be_too_short_stand_for_their_median_and_so_does_what_is_beside():
    generator = np.random.default_rng(3)
    long, short = (dict(enumerate(generator.lognormal(size=16))) for _ in range(2))
    two_sided, middle = samples.TwoSided(short), math.log(np.median(list(short.values())))
    assert samples.level(two_sided) == pytest.approx(middle)
    expected = math.log(np.median(list(long.values()))) - middle
    assert samples.log_ratio(long, two_sided) == pytest.approx(expected)
    assert samples.log_ratio(two_sided, long) == pytest.approx(-expected)


def test_ratio_is_over_common_rounds():
    slow_start = dict.fromkeys(range(8), 9.0)
    first = slow_start | dict.fromkeys(range(8, 16), 2.0)
    second = dict.fromkeys(range(8, 24), 1.0)
    assert samples.log_ratio(first, second) == pytest.approx(math.log(2))
    assert samples.log_ratio(slow_start, second) == pytest.approx(math.log(9))  # all rounds; none is common to both


def test_ratio_of_repetitions_apart_is_none():
    assert samples.log_ratios({"a": {0: 1.0}}, {"b": {0: 1.0}}) == {}
    assert samples.log_ratios({"a": {0: 1.0}}, {"a": {}}) == {}


def test_disturbance_of_many_rounds_is_not_in_the_ratio():
    """The ratio uses the rounds common to both cases.

    The machine is slower in most rounds. As in protocol 1, the second case is measured in the first rounds only. So the
    medians of all samples would come from different times.
    """
    generator = np.random.default_rng(5)
    machine = np.where(np.arange(30) < 10, 1.0, 1.8)
    first, second = (
        dict(enumerate(seconds * machine * np.exp(generator.normal(0, 0.002, 30)))) for seconds in (1.05, 1.0)
    )
    second = {number: value for number, value in second.items() if number < 12}
    assert math.exp(samples.log_ratio(first, second)) == pytest.approx(1.05, abs=0.005)
    of_all = np.median(list(first.values())) / np.median(list(second.values()))
    assert of_all == pytest.approx(1.05 * 1.8, rel=0.01)
