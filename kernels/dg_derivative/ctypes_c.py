"""C loops, called through ctypes."""

import ctypes

SOURCES = ("dg_derivative.c",)


def prepare(case):
    dg_derivative = getattr(ctypes.CDLL(case.artifact("dg_derivative.c")), f"dg_derivative_{case.dtype}")
    dg_derivative.argtypes, dg_derivative.restype = (*[ctypes.c_void_p] * 4, *[ctypes.c_int64] * 2), None

    def run(matrices, u, factors, out):
        dg_derivative(*(numbers.ctypes.data for numbers in (matrices, u, factors, out)), *u.shape)

    return run
