"""Tests of streaming stores, which need aligned addresses, for arrays that begin and end at any address.

The tests also check that implementations write nothing outside the arrays.
"""

import ctypes
import dataclasses
import re
import subprocess
from pathlib import Path

import numba
import numpy as np
import pytest
from run_implementation import build_flags

from accelbench import discovery, toolchains
from accelbench.kernels import catalog
from accelbench.worker.case import KernelCase

KERNELS = Path(__file__).parents[2] / "kernels"
# {kernel: (number of inputs, NumPy function)}
RESULTS = {
    "vector_add": (2, np.add),
    "vector_multiply": (2, np.multiply),
    "copy": (1, np.positive),
}


def check(function, count, result, dtype):
    """Check function(*inputs, out) with `out` at each alignment to a cache line, for several sizes."""
    for start, size in ((start, size) for start in range(17) for size in (0, 1, 2, 3, 4, 15, 16, 17, 31, 1000)):
        inputs = np.random.default_rng(size).random((count, size + 1), dtype)[:, 1:]
        whole = np.full(size + 32, 7, dtype)
        out = whole[start : start + size]
        function(*inputs, out)
        assert np.array_equal(out, np.broadcast_to(result(*inputs), size)), (start, size)
        assert (whole[:start] == 7).all()
        assert (whole[start + size :] == 7).all()


@pytest.fixture(scope="module", params=[(), ("-U__SSE2__",)], ids=["native", "any_other_machine"])
def flags(request):
    return request.param


@pytest.fixture(scope="module", params=RESULTS)
def kernel(request, flags, tmp_path_factory):
    """Return (name of the kernel, its <kernel>_streaming.c as a loaded library)."""
    source, library = KERNELS / request.param / f"{request.param}_streaming.c", tmp_path_factory.mktemp("c") / "c.so"
    subprocess.run(["cc", "-O3", "-fopenmp", "-shared", "-fPIC", *flags, "-o", library, source], check=True)
    return request.param, ctypes.CDLL(str(library))


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_c(kernel, dtype):
    name, library = kernel
    function = getattr(library, f"{name}_streaming_{dtype}")

    def run(*arrays):
        function(*(ctypes.c_void_p(array.ctypes.data) for array in arrays), ctypes.c_int64(arrays[-1].size))

    check(run, *RESULTS[name], dtype)


@pytest.fixture(scope="module")
def extension(flags, tmp_path_factory):
    name, config, build_folder = "cython_streaming", build_flags("cython"), tmp_path_factory.mktemp("cython")
    config = config.model_copy(update={"cflags": (*config.cflags, *flags)})
    folder = catalog.load(KERNELS / "vector_multiply")
    folder = dataclasses.replace(folder, implementations={name: folder.implementations[name]})
    (entry,) = toolchains.build(folder, "cython", build_folder, config=config).artifacts
    assert entry.outcome == "ok", entry.log
    return toolchains.open_artifact(entry, build_folder, "cython")


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_cython(dtype, extension):
    check(extension.prepare(KernelCase(dtype=dtype)), *RESULTS["vector_multiply"], dtype)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_numba(dtype):
    module = discovery.import_file(KERNELS / "vector_multiply" / "numba_streaming.py")
    check(module.run, *RESULTS["vector_multiply"], dtype)


def test_numba_stores_past_the_caches():
    module = discovery.import_file(KERNELS / "vector_multiply" / "numba_streaming.py")
    multiply_vector = module.multiply_vector
    compiled = numba.njit("void(f8[::1], f8[::1], f8[::1])")(lambda x, y, out: multiply_vector(x, y, out, 0))
    (code,) = compiled.inspect_llvm().values()
    assert re.search(r"store <4 x double> .*, align 32, !nontemporal", code)
