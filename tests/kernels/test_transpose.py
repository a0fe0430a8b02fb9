"""Tests of transpose, also for sizes that are no multiples of a tile."""

from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA

from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "transpose")
DTYPES = FOLDER.spec.dtypes
HOST = [n for n, i in FOLDER.implementations.items() if i.backend not in CUDA]
QUICK = ("numpy", "cffi_api")


def numbered(size, dtype):
    """Return a matrix of 0, 1, 2, ... row by row, and the transposed matrix."""
    x = np.arange(size * size, dtype=dtype).reshape(size, size)
    return {"x": x}, [[i * size + j for i in range(size)] for j in range(size)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n.startswith(QUICK) else pytest.mark.slow) for n in HOST])
def test_every_number_is_at_its_place(run, name, dtype):
    for size in (1, 2, 33, 130):
        inputs, transposed = numbered(size, dtype)
        (out,) = run(name, dtype, inputs, (8, 4))
        assert out.tolist() == transposed, size


def test_reference():
    for size in (0, 1, 5):
        inputs, transposed = numbered(size, "float32")
        (expected,) = FOLDER.expected(size, "float32", options={}, inputs=inputs)
        assert expected.tolist() == transposed
