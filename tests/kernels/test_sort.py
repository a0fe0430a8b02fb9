"""Tests of sort against Python's sorted: special sequences, and random numbers of several lengths."""

from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA, parameters

from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "sort")
DTYPES = FOLDER.spec.dtypes
HOST = tuple(n for n, i in FOLDER.implementations.items() if i.backend not in CUDA)
HARD = {
    "ascending": np.arange(-50, 50),
    "descending": np.arange(50, -50, -1),
    "equal": np.full(33, -3),
    "few": np.arange(131) % 3 - 1,
    "every power of two": np.ldexp(np.resize([1, -1], 253), np.arange(-126, 127)),
    "extremes": np.array([np.inf, 1, 0.0, -0.0, -np.inf, 2e-38, -2e-38, 3e38, -3e38]),
}


def right(run, name, x, block):
    (out,) = run(name, x.dtype.name, {"x": x}, block, x.size)
    return out.tolist() == sorted(x.tolist())


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", parameters(FOLDER, (*HOST, "cupy_raw")))
def test_hard_to_sort(run, name, dtype):
    for what, numbers in HARD.items():
        assert right(run, name, numbers.astype(dtype), 8), what


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", parameters(FOLDER, ["cupy_raw", "pyopencl_raw"]))
def test_networks_of_every_length(run, name, dtype):
    """The last tile or run may be complete or not, and a block may have one thread."""
    rng = np.random.default_rng(1)
    for size, block in [*((size, 4) for size in range(1, 20)), (1, 1), (21, 1), (33, 2), (130, 16), (257, 8)]:
        assert right(run, name, rng.random(size, dtype), block), (size, block)


@pytest.mark.slow
def test_parts_of_threads_are_put_together(run):
    """The radix sort combines the digit counts of several threads in the order of their parts."""
    numbers = np.random.default_rng(2).integers(-99, 99, 10_000).astype("float32")
    assert right(run, "cffi_openmp", numbers, None)


def exact(size, dtype, seed=1):
    return FOLDER.inputs(size, dtype, rng=np.random.default_rng(seed), options={}, exact=True)["x"]


@pytest.mark.processes
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", parameters(FOLDER, (*HOST, "cupy_raw")))
def test_equal_numbers_and_both_zeros_are_kept(run, name, dtype):
    for size in (1, 2, 9, 100):
        x = exact(size, dtype)
        (out,) = run(name, dtype, {"x": x}, 8, size)
        assert out.tolist() == sorted(x.tolist())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [9, 100, 100_000])
def test_exact_inputs_show_that_a_number_comes_too_rarely(dtype, size):
    """Exact inputs contain equal numbers and zeros of both signs, unlike random float64 numbers.

    Exact inputs reveal a result in which one of several equal numbers is lost.
    """
    x = exact(size, dtype)
    right, distinct = np.sort(x), np.unique(x)
    assert not np.array_equal(right, np.concatenate([distinct, np.full(size - distinct.size, distinct[-1])]))
    assert 0 < np.count_nonzero(np.signbit(x[x == 0])) < np.count_nonzero(x == 0) or size == 9
