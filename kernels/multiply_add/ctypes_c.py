"""C loop, called through ctypes."""

import ctypes

SOURCES = ("multiply_add.c",)


def prepare(case):
    real = getattr(ctypes, f"c_{case.ctype}")
    multiply_add = getattr(ctypes.CDLL(case.artifact("multiply_add.c")), f"multiply_add_{case.dtype}")
    multiply_add.argtypes = (ctypes.c_void_p, ctypes.c_void_p, real, ctypes.c_void_p, ctypes.c_int64)
    multiply_add.restype = None
    return lambda x1, x2, b, out: multiply_add(x1.ctypes.data, x2.ctypes.data, b, out.ctypes.data, x1.size)
