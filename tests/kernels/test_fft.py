"""Tests of fft: known transforms, and the error of the reference."""

from pathlib import Path

import numpy as np
import pytest
from scipy import fft

from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "fft")
DTYPES = FOLDER.spec.dtypes


def problem(size, dtype):
    """Return (x, expected, tolerance)."""
    inputs = FOLDER.inputs(size, dtype, rng=np.random.default_rng(size), options={})
    expected = FOLDER.expected(size, dtype, options={}, inputs=inputs)
    (bound,) = FOLDER.tolerance(size, dtype, options={}, inputs=inputs, expected=expected)
    return inputs["x"], expected[0], bound


@pytest.mark.parametrize("size", [1, 2, 31, 1024, 1009, 30_000])
def test_reference_against_extended_precision(size):
    x, expected, bound = problem(size, "complex128")
    assert np.abs(fft.fft(x.astype(np.clongdouble)) - expected).max() <= bound / 4


@pytest.mark.parametrize("size", [2, 31, 100])
def test_reference_of_a_wave_is_one_line(size):
    """The transform of exp(2 pi i 3 j / n) is n at index 3 mod n, else 0. This tests the reference's sign and scale."""
    wave = np.exp(2j * np.pi * 3 / size * np.arange(size))
    line = np.zeros(size)
    line[3 % size] = size
    assert np.abs(FOLDER.expected(size, "complex128", options={}, inputs={"x": wave})[0] - line).max() < 1e-12 * size


@pytest.mark.parametrize("dtype", DTYPES)
def test_tolerance_is_that_of_the_dtype(dtype):
    x, expected, bound = problem(4096, dtype)
    if dtype == "complex64":
        assert (np.abs(fft.fft(x) - expected) <= bound / 4).all()
        x = x.real.astype(np.float16) + 1j * x.imag.astype(np.float16)
    else:
        x = x.astype(np.complex64)
    assert (np.abs(fft.fft(x) - expected) > bound).any()
