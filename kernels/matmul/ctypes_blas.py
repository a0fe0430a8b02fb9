"""SciPy's BLAS called through ctypes. BLAS expects Fortran's order of elements, so a and b are swapped."""

import ctypes

from scipy.linalg import cython_blas

PARAMETERS = ("threads",)


def blas_function(name):
    capsule, api = cython_blas.__pyx_capi__[name], ctypes.pythonapi
    api.PyCapsule_GetName.argtypes, api.PyCapsule_GetName.restype = (ctypes.py_object,), ctypes.c_char_p
    api.PyCapsule_GetPointer.argtypes = ctypes.py_object, ctypes.c_char_p
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    address = api.PyCapsule_GetPointer(capsule, api.PyCapsule_GetName(capsule))
    return ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 13)(address)


def prepare(case):
    gemm, real = blas_function({"float64": "dgemm", "float32": "sgemm"}[case.dtype]), getattr(ctypes, f"c_{case.ctype}")
    numbers = ctypes.c_int(case.size), ctypes.c_int(max(1, case.size)), real(1), real(0)
    n, row, one, zero = map(ctypes.byref, numbers)

    def run(a, b, out):
        a, b, out = a.ctypes.data, b.ctypes.data, out.ctypes.data
        gemm(b"N", b"N", n, n, n, one, b, row, a, row, zero, out, row)

    return run
