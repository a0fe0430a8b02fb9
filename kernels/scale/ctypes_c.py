"""C loop, called through ctypes."""

import ctypes

SOURCES = ("scale.c",)


def prepare(case):
    real = getattr(ctypes, f"c_{case.ctype}")
    scale = getattr(ctypes.CDLL(case.artifact("scale.c")), f"scale_{case.dtype}")
    scale.argtypes, scale.restype = (real, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64), None
    return lambda factor, x, y: scale(factor, x.ctypes.data, y.ctypes.data, x.size)
