"""C loop, called through ctypes."""

import ctypes

SOURCES = ("maximum.c",)


def prepare(case):
    maximum = getattr(ctypes.CDLL(case.artifact("maximum.c")), f"maximum_{case.dtype}")
    maximum.argtypes = (ctypes.c_void_p, ctypes.c_int64)
    maximum.restype = {"float64": ctypes.c_double, "float32": ctypes.c_float}[case.dtype]

    def run(x):
        return maximum(x.ctypes.data, x.size)

    return run
