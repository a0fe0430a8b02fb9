"""Tests of stencil: exact means of integers, the heat equation, and borders."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA

from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "stencil")
DTYPES = FOLDER.spec.dtypes
HOST = tuple(n for n, i in FOLDER.implementations.items() if i.backend not in CUDA)


def fives(size, dtype):
    """Return a matrix of random multiples of 5, and the stencil's means of five elements, as integers."""
    x = 5 * np.random.default_rng(size).integers(-1000, 1001, (size, size))
    out = x.copy()
    for i, j in itertools.product(range(1, size - 1), repeat=2):
        out[i, j] = (x[i, j] + x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1]) // 5
    return {"x": x.astype(dtype)}, out


def close(result, expected, dtype):
    """Return whether a result is within the tolerance for numbers up to 5000, and exact at the border."""
    border = np.ones(expected.shape, bool)
    border[1:-1, 1:-1] = False
    off = np.abs(np.asarray(result, np.float64) - expected)
    return not off[border].any() and (off <= 5000 * 2.5 * np.finfo(dtype).eps).all()


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", HOST)
def test_whole_numbers(run, name, dtype):
    for size in (1, 2, 3, 4, 33, 130):
        inputs, means = fives(size, dtype)
        (out,) = run(name, dtype, inputs, (8, 4))
        assert close(out, means, dtype), size


def test_reference_is_a_step_of_the_heat_equation():
    """The mean of five points is x plus a fifth of the discrete Laplacian: 0 for i**2 - j**2, and 4 for i**2 + j**2."""
    i, j = np.mgrid[:50, :50].astype(np.float64)
    (harmonic,), (paraboloid,) = (
        FOLDER.expected(50, "float64", options={}, inputs={"x": x}) for x in (i**2 - j**2, i**2 + j**2)
    )
    assert np.allclose(harmonic, i**2 - j**2, rtol=1e-14)
    assert np.allclose((paraboloid - i**2 - j**2)[1:-1, 1:-1], 0.8)
    assert not (paraboloid - i**2 - j**2)[0].any()
