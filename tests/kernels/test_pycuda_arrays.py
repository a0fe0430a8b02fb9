"""Tests of implementations with PyCUDA's arrays or memory functions, run on the host with stand-ins for PyCUDA."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from run_implementation import Runner

from accelbench.kernels import catalog

KERNELS = Path(__file__).parents[2] / "kernels"
SIZES = {
    "copy_overlap/pycuda_mem_alloc": (0, 1, 37, 1000),
    "fft/pycuda_gpuarray": (2, 4, 8, 64, 1024),
    "softplus/pycuda_gpuarray": (1, 2, 100_000),
    "transfer/pycuda_mem_alloc": (0, 1, 37),
    "transfer/pycuda_memcpy_dtoh": (0, 1, 37),
}


@pytest.mark.processes
@pytest.mark.parametrize("name", SIZES)
def test_results(tmp_path, name):
    kernel, name = name.split("/")
    folder = catalog.load(KERNELS / kernel)
    run = Runner(folder, tmp_path)
    for dtype, size in itertools.product(folder.spec.dtypes, SIZES[f"{kernel}/{name}"]):
        inputs = folder.inputs(size, dtype, rng=np.random.default_rng(size), options={})
        with run.prepared(name, dtype, inputs, 33, size) as call:
            call()
            (result,) = call(inputs)  # a second call, which reuses the memory of the first
        expected = folder.expected(size, dtype, options={}, inputs=inputs)
        (bound,) = folder.tolerance(size, dtype, options={}, inputs=inputs, expected=expected)
        assert result.dtype == dtype
        assert (np.abs(result - expected[0]) <= bound).all(), (dtype, size)


def test_powers_of_two_alone(tmp_path):
    run = Runner(catalog.load(KERNELS / "fft"), tmp_path)
    for size in (0, 1, 3, 1000):
        with pytest.raises(NotImplementedError):
            run("pycuda_gpuarray", "complex128", {"x": np.zeros(size, "complex128")})
