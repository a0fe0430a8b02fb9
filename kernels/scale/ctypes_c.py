"""C loop, called through ctypes."""

import ctypes

SOURCES = ("scale.c",)


def prepare(case):
    real = {"float64": ctypes.c_double, "float32": ctypes.c_float}[case.dtype]
    scale = getattr(ctypes.CDLL(case.artifact("scale.c")), f"scale_{case.dtype}")
    scale.argtypes = (real, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    scale.restype = None

    def run(factor, x, y):
        scale(factor, x.ctypes.data, y.ctypes.data, x.size)

    return run
