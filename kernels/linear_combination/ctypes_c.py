"""C loop, called through ctypes."""

import ctypes

SOURCES = ("linear_combination.c",)


def prepare(case):
    real = {"float64": ctypes.c_double, "float32": ctypes.c_float}[case.dtype]
    linear_combination = getattr(ctypes.CDLL(case.artifact("linear_combination.c")), f"linear_combination_{case.dtype}")
    linear_combination.argtypes = (real, ctypes.c_void_p, real, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    linear_combination.restype = None

    def run(a, x, b, y, z):
        linear_combination(a, x.ctypes.data, b, y.ctypes.data, z.ctypes.data, x.size)

    return run
