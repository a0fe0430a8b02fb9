"""C loop, called through ctypes."""

import ctypes

SOURCES = ("maximum.c",)


def prepare(case):
    maximum = getattr(ctypes.CDLL(case.artifact("maximum.c")), f"maximum_{case.dtype}")
    maximum.argtypes, maximum.restype = (ctypes.c_void_p, ctypes.c_int64), getattr(ctypes, f"c_{case.ctype}")
    return lambda x: maximum(x.ctypes.data, x.size)
