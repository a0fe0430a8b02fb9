"""C loop, called through ctypes."""

import ctypes

SOURCES = ("dot.c",)


def prepare(case):
    dot = getattr(ctypes.CDLL(case.artifact("dot.c")), f"dot_{case.dtype}")
    dot.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    dot.restype = {"float64": ctypes.c_double, "float32": ctypes.c_float}[case.dtype]

    def run(x, y):
        return dot(x.ctypes.data, y.ctypes.data, x.size)

    return run
