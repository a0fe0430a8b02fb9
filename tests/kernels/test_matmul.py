"""Tests of matmul: known products, and a tolerance that reveals lost terms and lower precision."""

from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA

from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "matmul")
DTYPES = FOLDER.spec.dtypes
HOST = tuple(n for n, i in FOLDER.implementations.items() if i.backend not in CUDA)
BLOCKS = {"pyopencl_raw_naive": (4, 2), "pyopencl_raw_tiled": (8, 4)}
# Implementations that run on the host with a stand-in for CuPy, and their blocks
CUDA = [
    (name, block)
    for name, blocks in (
        ("cupy_raw_naive", ((1, 1), (5, 3))),
        ("cupy_raw_tiled", ((8, 8), (8, 16), (32, 8))),
        ("cupy_raw_register_tiled", ((8, 8), (16, 8), (8, 16), (16, 16))),
    )
    for block in blocks
]


def whole_numbers(size, dtype, seed=0):
    """Return two matrices of integers from -8 to 8, and their integer product, which is exact in float32."""
    a, b = np.random.default_rng(seed).integers(-8, 9, (2, size, size))
    return {"a": a.astype(dtype), "b": b.astype(dtype)}, a @ b


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", HOST)
def test_whole_numbers_are_exact(run, name, dtype):
    for size in (1, 2, 7, 33, 130):
        inputs, product = whole_numbers(size, dtype)
        (out,) = run(name, dtype, inputs, BLOCKS.get(name))
        assert np.array_equal(out, product), size


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", HOST)
def test_permutations_permute(run, name, dtype):
    """For a permutation p, a @ p permutes columns, and p @ a permutes rows. Wrong transpositions and strides fail."""
    size, rng = 31, np.random.default_rng(1)
    a, order = rng.random((size, size), dtype), rng.permutation(size)
    permutation = np.eye(size, dtype=dtype)[order]
    (rows,) = run(name, dtype, {"a": permutation, "b": a}, BLOCKS.get(name))
    (columns,) = run(name, dtype, {"a": a, "b": permutation}, BLOCKS.get(name))
    assert np.array_equal(rows, a[order])
    assert np.array_equal(columns[:, order], a)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("name", "block"), CUDA, ids=[f"{name}-{bx}x{by}" for name, (bx, by) in CUDA])
def test_cuda_whole_numbers_are_exact(run, name, block, dtype):
    """Sizes are below and above that of a tile; some are multiples of a vector of 16 bytes, others are not."""
    for size in (1, 12, 33, 68, 131) if "naive" not in name else (1, 12):
        inputs, product = whole_numbers(size, dtype)
        (out,) = run(name, dtype, inputs, block)
        assert np.array_equal(out, product), size


@pytest.mark.parametrize("name", [n for n in dict(CUDA) if "tiled" in n])
def test_a_tile_that_is_not_compiled_is_unsupported(run, name):
    inputs, _ = whole_numbers(4, "float32")
    with pytest.raises(NotImplementedError, match="no tile of 5x3 threads"):
        run(name, "float32", inputs, (5, 3))


@pytest.mark.parametrize("size", [1, 31, 200])
def test_reference_is_right_beyond_float64(size):
    """The reference agrees with products in unbounded integers, whose precision exceeds that of float64."""
    inputs = FOLDER.inputs(size, "float64", rng=np.random.default_rng(size), options={})
    exact = np.dot(*((matrix * 2.0**60).astype(np.int64).astype(object) for matrix in inputs.values()))
    (result,) = FOLDER.expected(size, "float64", options={}, inputs=inputs)
    expected = np.array([[float(x / 2**120) for x in row] for row in exact])
    assert np.abs(result - expected).max() <= 2.0**-52 * np.sqrt(size)
    (bound,) = FOLDER.tolerance(size, "float64", options={}, inputs=inputs, expected=(result,))
    assert (np.abs(result - expected) < bound / 4).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_tolerance_admits_left_to_right_sums_alone(dtype):
    size = 256
    inputs = FOLDER.inputs(size, dtype, rng=np.random.default_rng(2), options={})
    (expected,) = FOLDER.expected(size, dtype, options={}, inputs=inputs)
    (bound,) = FOLDER.tolerance(size, dtype, options={}, inputs=inputs, expected=(expected,))

    def accepted(a, b, kind):
        total = np.zeros((size, size), kind)
        for k in range(a.shape[1]):
            total += np.outer(a[:, k], b[k]).astype(kind)
        return (np.abs(total - expected) <= bound).all()

    a, b = inputs["a"], inputs["b"]
    assert accepted(a, b, dtype)
    assert not accepted(a[:, :-1], b[:-1], dtype)  # one term lost
    less = np.float32 if dtype == "float64" else np.float16
    assert not accepted(a, b, less)
    if dtype == "float32":  # factors rounded to TF32, whose significand has 11 bits
        a, b = (((m.view(np.uint32) + np.uint32(0x1000)) & np.uint32(0xFFFFE000)).view(np.float32) for m in (a, b))
        assert not accepted(a, b, dtype)
