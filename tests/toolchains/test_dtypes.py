"""Tests that the documented dtypes work with CFFI, ctypes, Cython, OpenCL and CUDA."""

import importlib.util

import numpy as np
import opencl_here
import pytest
from building import make

from accelbench import toolchains
from accelbench.kernel import DTYPES
from accelbench.worker.case import KernelCase

IN_C = sorted(set(DTYPES) - {"float16"})
PARTS = {dtype: 2 if dtype.startswith("complex") else 1 for dtype in DTYPES}
PROTOTYPE = "void total_{dtype}(const {ctype} *x, {ctype} *y, int64_t n)"
BODY = "{{ for (int64_t i = 0; i < {parts} * n; i++) y[i] = x[i]; }}"
CFFI = """
SOURCES = ("total.c",)


def prepare(case):
    extension, array = case.artifact("total.c"), f"{case.ctype}[]"
    copy = getattr(extension.lib, f"total_{case.dtype}")

    def run(x, y):
        copy(extension.ffi.from_buffer(array, x), extension.ffi.from_buffer(array, y), x.size)

    return run
"""
CTYPES = """
import ctypes

SOURCES = ("total.c",)


def prepare(case):
    copy = getattr(ctypes.CDLL(case.artifact("total.c")), f"total_{case.dtype}")
    copy.argtypes, copy.restype = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64), None
    return lambda x, y: copy(x.ctypes.data, y.ctypes.data, x.size)
"""
CYTHON = """# cython: language_level=3
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

ctypedef fused number:
    float
    double
    int8_t
    int16_t
    int32_t
    int64_t
    uint8_t
    uint16_t
    uint32_t
    uint64_t


def copy(const number[::1] x, number[::1] y):
    cdef Py_ssize_t i
    for i in range(x.shape[0]):
        y[i] = x[i]


def prepare(case):
    return copy[case.ctype]
"""


def loaded(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def numbers(dtype):
    return (np.arange(2, 9) % 5 * (1 + 1j if "complex" in dtype else 1)).astype(dtype)


def assert_copies(run, dtype):
    """Assert that `run` copies read-only inputs, as a worker passes them."""
    x = numbers(dtype)
    x.flags.writeable = False
    y = np.zeros_like(x)
    run(x, y)
    assert y.tolist() == x.tolist()


@pytest.fixture
def sources(kernel):
    """Return a kernel with C functions for the dtypes IN_C, which case.ctype names in C."""
    names = [{"dtype": d, "ctype": KernelCase(dtype=d).ctype, "parts": PARTS[d]} for d in IN_C]
    header = "".join(PROTOTYPE.format(**each) + ";\n" for each in names)
    body = "".join((PROTOTYPE + BODY).format(**each) + "\n" for each in names)
    source = f'#include <stdbool.h>\n#include <stdint.h>\n#include "total.h"\n{body}'
    return kernel(total_h=header, total_c=source, cffi_api_py=CFFI, ctypes_c_py=CTYPES, cython_typed_pyx=CYTHON)


@pytest.mark.parametrize(("name", "toolchain"), [("cffi_api", "cffi"), ("ctypes_c", "c")])
def test_a_recipe_in_c_takes_every_dtype(sources, out, name, toolchain):
    entry = make(sources, toolchain, out).find(name, "total.c")
    assert entry.outcome == "ok", entry.log
    opened = toolchains.open_artifact(entry, out, toolchain)
    prepare = loaded(sources.path / f"{name}.py").prepare
    for dtype in IN_C:
        assert_copies(prepare(KernelCase(dtype=dtype, artifact=lambda source: opened)), dtype)


def test_half_precision_is_unsupported_in_one_sentence(sources, out):
    prepare = loaded(sources.path / "cffi_api.py").prepare
    with pytest.raises(NotImplementedError, match=r"^float16 has no C type that CFFI, ctypes and Cython know$"):
        prepare(KernelCase(dtype="float16", artifact=lambda source: None))


@pytest.mark.processes
def test_a_recipe_in_cython_takes_every_dtype_of_memoryviews(sources, out):
    entry = make(sources, "cython", out).find("cython_typed", "cython_typed.pyx")
    assert entry.outcome == "ok", entry.log
    prepare = toolchains.open_artifact(entry, out, "cython").prepare
    for dtype in IN_C:
        if dtype != "bool" and PARTS[dtype] == 1:
            assert_copies(prepare(KernelCase(dtype=dtype)), dtype)


@pytest.mark.parametrize("dtype", IN_C)
def test_the_recipe_of_opencl_takes_every_dtype(dtype):
    """PyOpenCL's ElementwiseKernel accepts case.ctype of every dtype except float16."""
    import pyopencl.array
    from pyopencl.elementwise import ElementwiseKernel

    queue = opencl_here.queue()
    real = KernelCase(dtype=dtype, queue=queue).ctype
    copy = ElementwiseKernel(queue.context, f"const {real} *x, {real} *y", "y[i] = x[i]", "copy")
    given = numbers(dtype)
    parts = given.view({"bool": "uint8", "complex64": "float32", "complex128": "float64"}.get(dtype, dtype))
    x = pyopencl.array.to_device(queue, parts)
    y = pyopencl.array.zeros_like(x)
    copy(x, y)
    assert y.get().view(dtype).tolist() == given.tolist()


def test_cuda_knows_every_name_and_its_size(tmp_path):
    nvrtc = pytest.importorskip("cuda.bindings.nvrtc")
    asked = ["struct half { short bits; };"]  # in place of the declaration in cuda_fp16.h
    for dtype, parts in PARTS.items():
        case = KernelCase(dtype=dtype, stream=object())
        asked.append(f'static_assert({parts} * sizeof({case.ctype}) == {case.itemsize}, "{dtype}");')
    _, program = nvrtc.nvrtcCreateProgram("\n".join(asked).encode(), b"sizes.cu", 0, [], [])
    (status,) = nvrtc.nvrtcCompileProgram(program, 0, [])
    log = b" " * nvrtc.nvrtcGetProgramLogSize(program)[1]
    nvrtc.nvrtcGetProgramLog(program, log)
    assert status == nvrtc.nvrtcResult.NVRTC_SUCCESS, log.decode()
