"""What is written in PyCUDA's arrays, or by its calls for memory, on the host under stand-ins: right results."""

from pathlib import Path

import numpy as np
import pytest
from pycuda_on_host import pretend, to_gpu

from accelbench import discovery
from accelbench.kernels import catalog
from accelbench.worker.case import KernelCase

KERNELS = Path(__file__).parents[2] / "kernels"
SIZES = {
    "copy_overlap/pycuda_mem_alloc": (0, 1, 37, 1000),
    "fft/pycuda_gpuarray": (2, 4, 8, 64, 1024),
    "softplus/pycuda_gpuarray": (1, 2, 100_000),
    "transfer/pycuda_mem_alloc": (0, 1, 37),
    "transfer/pycuda_memcpy_dtoh": (0, 1, 37),
}


@pytest.mark.parametrize("name", SIZES)
def test_results(monkeypatch, name):
    pretend(monkeypatch)
    folder = catalog.load(KERNELS / Path(name).parent)
    place = to_gpu if folder.spec.location == "device" else np.array
    module = discovery.import_file(KERNELS / f"{name}.py")
    for dtype in folder.spec.dtypes:
        for size in SIZES[name]:
            inputs = folder.inputs(size, dtype, np.random.default_rng(size), {})
            (output,), x = folder.outputs(size, dtype, {}), place(inputs["x"])
            out, case = place(np.full(output.shape, np.nan, dtype)), KernelCase(size=size, dtype=dtype)
            case.block_size, case.stream = 33, None
            run = module.prepare(case) if hasattr(module, "prepare") else module.run
            given = module.convert(x) if hasattr(module, "convert") else (x,)
            for _ in range(2):  # the second time finds what the first one left
                result = run(*given, out)
            expected = folder.expected(size, dtype, {}, inputs)
            (bound,) = folder.tolerance(size, dtype, {}, inputs, expected)
            found = np.asarray(out if result is None else result)
            assert found.dtype == dtype
            assert (np.abs(found - expected[0]) <= bound).all(), (dtype, size)
            assert np.array_equal(x, inputs["x"])


def test_powers_of_two_alone(monkeypatch):
    pretend(monkeypatch)
    module = discovery.import_file(KERNELS / "fft/pycuda_gpuarray.py")
    for size in (0, 1, 3, 1000):
        with pytest.raises(NotImplementedError):
            module.prepare(KernelCase(size=size, dtype="complex128"))
