"""C loop, called through ctypes."""

import ctypes

SOURCES = ("fill.c",)


def prepare(case):
    fill = getattr(ctypes.CDLL(case.artifact("fill.c")), f"fill_{case.dtype}")
    fill.argtypes, fill.restype = (ctypes.c_void_p, ctypes.c_int64), None
    return lambda out: fill(out.ctypes.data, out.size)
