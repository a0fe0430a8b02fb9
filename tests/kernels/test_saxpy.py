"""Tests of saxpy: exact results, unchanged inputs, and one source for two backends."""

from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA

from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "saxpy")
DTYPES = FOLDER.spec.dtypes
HOST = tuple(n for n, i in FOLDER.implementations.items() if i.backend not in CUDA)
CUDA = ("cupy_raw", "pycuda_raw", "pycuda_source_module")  # run on the host, with stand-ins for CuPy and PyCUDA
SIZES = (1, 2, 3, 31, 32, 257, 8193)


def whole_numbers(size, dtype):
    """Return inputs of integers whose sums are exact in float32, and those sums."""
    x, y = np.random.default_rng(size).integers(-1000, 1001, (2, size))
    return {"a": np.dtype(dtype).type(-7), "x": x.astype(dtype), "y": y.astype(dtype)}, -7 * x + y


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", HOST)
def test_whole_numbers_are_exact_and_inputs_stay(run, name, dtype):
    for size in SIZES:
        inputs, sums = whole_numbers(size, dtype)
        before = {key: np.copy(value) for key, value in inputs.items()}
        (out,) = run(name, dtype, inputs, 32)
        assert np.array_equal(out, sums), size
        assert all(np.array_equal(inputs[key], before[key]) for key in inputs)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("block", [1, 33])
@pytest.mark.parametrize("name", CUDA)
def test_cuda_whole_numbers_are_exact(run, name, block, dtype):
    for size in SIZES[:-1]:
        inputs, sums = whole_numbers(size, dtype)
        (out,) = run(name, dtype, inputs, block)
        assert np.array_equal(out, sums), size


def test_one_text_serves_numpy_and_cupy():
    numpy, cupy = (FOLDER.implementations[f"{backend}_agnostic"] for backend in ("numpy", "cupy"))
    assert (numpy.backend, cupy.backend) == ("numpy", "cupy")
    assert cupy.path.samefile(numpy.path)


@pytest.mark.parametrize("dtype", DTYPES)
def test_tolerance_is_that_of_the_dtype(dtype):
    """A result that is rounded twice passes. An error of four units in the last place, or a lower precision, fails."""
    inputs = FOLDER.inputs(1000, dtype, rng=np.random.default_rng(3), options={})
    expected = FOLDER.expected(1000, dtype, options={}, inputs=inputs)
    (bound,) = FOLDER.tolerance(1000, dtype, options={}, inputs=inputs, expected=expected)
    right = inputs["a"] * inputs["x"] + inputs["y"]
    assert right.dtype == dtype
    assert (np.abs(right - expected[0]) <= bound).all()
    assert (np.abs(right + 4 * np.spacing(right) - expected[0]) > bound).any()
    less = right.astype(np.float32 if dtype == "float64" else np.float16)
    assert (np.abs(less - expected[0]) > bound).any()
