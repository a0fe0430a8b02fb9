"""Tests of cumsum: exact sums of integers, CUDA C on the host, and a tolerance that reveals a lost element."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA

from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "cumsum")
DTYPES = FOLDER.spec.dtypes
HOST = tuple(n for n, i in FOLDER.implementations.items() if i.backend not in CUDA)


def whole_numbers(size, dtype):
    """Return integers whose sums are exact in float32, and those sums."""
    x = np.random.default_rng(size).integers(-100, 101, size)
    return {"x": x.astype(dtype)}, np.cumsum(x)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", HOST)
def test_whole_numbers_are_exact(run, name, dtype):
    for size in (1, 2, 31, 257, 8193):
        inputs, sums = whole_numbers(size, dtype)
        (out,) = run(name, dtype, inputs, 32)
        assert np.array_equal(out, sums), size


@pytest.mark.parametrize("dtype", DTYPES)
def test_cuda_whole_numbers_are_exact(run, dtype):
    """The implementation runs up to five levels of scans, with blocks of any size."""
    for size, block in itertools.product((0, 1, 2, 31, 97), (3, 8, 32)):
        inputs, sums = whole_numbers(size, dtype)
        (out,) = run("cupy_raw", dtype, inputs, block)
        assert np.array_equal(out, sums), (size, block)


def test_blocks_of_one_thread_are_unsupported(run):
    """Blocks of one thread never reduce the number of sums, so the recursion would not end."""
    with pytest.raises(NotImplementedError, match="of one"):
        run("cupy_raw", "float64", {"x": np.ones(2)}, 1)


@pytest.mark.parametrize("dtype", DTYPES)
def test_tolerance_is_that_of_the_dtype(dtype):
    """Sums in any order pass. Sums of lower precision, or with an element lost or added twice, fail."""
    size = 5000
    inputs = FOLDER.inputs(size, dtype, rng=np.random.default_rng(3), options={})
    (expected,) = FOLDER.expected(size, dtype, options={}, inputs=inputs)
    (bound,) = FOLDER.tolerance(size, dtype, options={}, inputs=inputs, expected=(expected,))
    x = inputs["x"]

    def accepted(sums):
        return (np.abs(sums.astype(np.float64) - expected) <= bound).all()

    parts = np.cumsum(x.reshape(50, 100), axis=1)
    assert accepted(np.cumsum(x))
    assert accepted((parts + np.concatenate([[0], np.cumsum(parts[:-1, -1])]).astype(dtype)[:, None]).reshape(-1))
    assert not accepted(np.cumsum(x) - np.where(np.arange(size) >= 4000, x[4000], 0))
    assert not accepted(np.cumsum(x) + np.where(np.arange(size) >= 4000, x[4000], 0))
    assert not accepted(np.cumsum(x, dtype=np.float32 if dtype == "float64" else np.float16))


def test_reference_is_right_beyond_float64():
    """The reference agrees with sums of unbounded integers, also across the reference's blocks."""
    size = 70_000
    inputs = FOLDER.inputs(size, "float64", rng=np.random.default_rng(4), options={})
    exact = np.cumsum((inputs["x"] * 2.0**60).astype(np.int64).astype(object))
    (result,) = FOLDER.expected(size, "float64", options={}, inputs=inputs)
    expected = np.array([float(total / 2**60) for total in exact])
    assert (np.abs(result - expected) <= 4 * np.spacing(np.maximum(np.abs(expected), 1))).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
@np.errstate(invalid="ignore")  # numpy_triangular corrects results of 0 * inf
def test_an_infinity_leaves_what_precedes_it_alone(run, value, dtype):
    """Infinities in the last, incomplete row are tested, too: numpy_triangular adds this row separately."""
    for size, place in ((70, 40), (70, 69), (40_000, 20_003)):
        x = np.ones(size, dtype)
        x[place] = value
        (out,) = run("numpy_triangular", dtype, {"x": x})
        assert np.array_equal(out, np.cumsum(x), equal_nan=True), (size, place)
