"""Tests of standard_deviation: its reference, and wrong results that the inputs and the tolerance reveal."""

import math
from pathlib import Path

import numpy as np
import pytest

from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "standard_deviation")
DTYPES = FOLDER.spec.dtypes


def problem(size, dtype, seed=0):
    """Return (x, expected, tolerance)."""
    inputs = FOLDER.inputs(size, dtype, rng=np.random.default_rng(seed), options={})
    expected = FOLDER.expected(size, dtype, options={}, inputs=inputs)
    (bound,) = FOLDER.tolerance(size, dtype, options={}, inputs=inputs, expected=expected)
    return inputs["x"], expected[0], bound


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_difference_of_large_means_is_wrong(dtype):
    for size in (1000, 100_000):
        x, expected, bound = problem(size, dtype)
        naive = np.sqrt(abs(np.mean(x * x) - np.mean(x) ** 2))
        assert abs(naive - expected) > bound


@pytest.mark.parametrize("dtype", DTYPES)
def test_some_elements_left_out_are_noticed(dtype):
    x, expected, bound = problem(100_000, dtype)
    assert abs(np.std(x, dtype=np.float64) - expected) <= bound
    assert abs(np.std(x[:-10], dtype=np.float64) - expected) > bound
    assert abs(np.std(x, ddof=1, dtype=np.float64) - expected) > bound


@pytest.mark.parametrize("dtype", DTYPES)
def test_reference_agrees_with_exact_arithmetic(dtype):
    from statistics import pvariance

    for size in (1, 2, 3, 1000, 1001, 3000):
        x, expected, _ = problem(size, dtype, seed=size)
        assert expected == pytest.approx(math.sqrt(pvariance(x.tolist())), rel=1e-13, abs=1e-14)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [2, 3, 8, 31])
def test_welfords_update_is_within_the_tolerance_for_few_elements(size, dtype):
    """Welford's update rounds the mean at every element."""
    for seed in range(60):
        x, expected, bound = problem(size, dtype, seed)
        mean = squares = np.float64(0)
        for count, value in enumerate(x.astype(np.float64), 1):
            difference = value - mean
            mean += difference / count
            squares += difference * (value - mean)
        assert abs(np.sqrt(squares / size) - expected) <= bound, seed


def test_no_elements():
    _, expected, bound = problem(0, "float64")
    assert math.isnan(expected)
    assert bound == 0
