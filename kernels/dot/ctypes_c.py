"""C loop, called through ctypes."""

import ctypes

SOURCES = ("dot.c",)


def prepare(case):
    dot = getattr(ctypes.CDLL(case.artifact("dot.c")), f"dot_{case.dtype}")
    dot.argtypes, dot.restype = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64), getattr(ctypes, f"c_{case.ctype}")
    return lambda x, y: dot(x.ctypes.data, y.ctypes.data, x.size)
