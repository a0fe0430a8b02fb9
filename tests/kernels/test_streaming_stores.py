"""Stores that go past the caches want aligned addresses: wherever an array begins and ends, it is right, and nothing
beyond it is touched."""

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest

KERNELS = Path(__file__).parents[2] / "kernels"
RESULTS = {"vector_add": (2, np.add), "copy": (1, np.positive), "fill": (0, lambda: 1)}  # of how many inputs


@pytest.fixture(scope="module", params=RESULTS)
def kernel(request, tmp_path_factory):
    """(name, library)"""
    source, library = KERNELS / request.param / f"{request.param}_streaming.c", tmp_path_factory.mktemp("c") / "c.so"
    subprocess.run(["cc", "-O3", "-fopenmp", "-shared", "-fPIC", "-o", library, source], check=True)
    return request.param, ctypes.CDLL(str(library))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_any_address_and_length(kernel, dtype):
    name, library = kernel
    function, (count, result) = getattr(library, f"{name}_streaming_{dtype}"), RESULTS[name]
    for start, size in ((start, size) for start in range(5) for size in (0, 1, 2, 3, 4, 31, 1000)):
        inputs = np.random.default_rng(size).random((count, size + 1), dtype)[:, 1:]
        whole = np.full(size + 16, 7, dtype)
        out = whole[start : start + size]
        function(*(ctypes.c_void_p(array.ctypes.data) for array in (*inputs, out)), ctypes.c_int64(size))
        assert np.array_equal(out, np.broadcast_to(result(*inputs), size)), (start, size)
        assert (whole[:start] == 7).all()
        assert (whole[start + size :] == 7).all()
