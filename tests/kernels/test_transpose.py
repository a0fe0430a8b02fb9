"""transpose: every number at its place, with tiles that end within the matrix; and CUDA C on the host."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA, Runner

from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "transpose")
DTYPES = FOLDER.spec.dtypes
HOST = [n for n, i in FOLDER.implementations.items() if i.backend not in CUDA]
QUICK = ("python", "numpy", "ctypes", "cffi_blocked")
CUDA = [f"{library}_raw_{way}" for library in ("cupy", "pycuda", "cuda_core") for way in ("naive", "tiled", "padded")]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return Runner(FOLDER, tmp_path_factory.mktemp("transpose"))


def numbered(size, dtype):
    """0, 1, 2, ... row by row, and what stands where in the transposed matrix."""
    x = np.arange(size * size, dtype=dtype).reshape(size, size)
    return {"x": x}, [[i * size + j for i in range(size)] for j in range(size)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n.startswith(QUICK) else pytest.mark.slow) for n in HOST])
def test_every_number_is_at_its_place(run, name, dtype):
    for size in (1, 2, 33, 130):
        inputs, transposed = numbered(size, dtype)
        (out,) = run(name, dtype, inputs, (8, 4))
        assert out.tolist() == transposed, size


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", CUDA)
def test_cuda_every_number_is_at_its_place(run, name, dtype):
    for size, block in itertools.product((1, 2, 19), ((1, 1), (5, 3), (4, 8))):
        inputs, transposed = numbered(size, dtype)
        (out,) = run(name, dtype, inputs, block)
        assert out.tolist() == transposed, (size, block)


@pytest.mark.parametrize("name", [name for name in CUDA if "naive" not in name])
def test_tiles_that_exceed_shared_memory_are_unsupported(run, name):
    with pytest.raises(NotImplementedError, match="bytes of shared memory, more than 49152"):
        run(name, "float64", numbered(2, "float64")[0], (128, 2))


def test_reference():
    for size in (0, 1, 5):
        inputs, transposed = numbered(size, "float32")
        (expected,) = FOLDER.expected(size, "float32", options={}, inputs=inputs)
        assert expected.tolist() == transposed
