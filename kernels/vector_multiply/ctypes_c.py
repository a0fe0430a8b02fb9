"""C loop, called through ctypes."""

import ctypes

SOURCES = ("vector_multiply.c",)


def prepare(case):
    multiply = getattr(ctypes.CDLL(case.artifact("vector_multiply.c")), f"vector_multiply_{case.dtype}")
    multiply.argtypes, multiply.restype = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64), None
    return lambda x, y, out: multiply(x.ctypes.data, y.ctypes.data, out.ctypes.data, x.size)
