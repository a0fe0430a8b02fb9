"""C loop, called through ctypes."""

import ctypes

SOURCES = ("saxpy.c",)


def prepare(case):
    real = {"float64": ctypes.c_double, "float32": ctypes.c_float}[case.dtype]
    saxpy = getattr(ctypes.CDLL(case.artifact("saxpy.c")), f"saxpy_{case.dtype}")
    saxpy.argtypes = (real, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    saxpy.restype = None

    def run(a, x, y, out):
        saxpy(a, x.ctypes.data, y.ctypes.data, out.ctypes.data, x.size)

    return run
