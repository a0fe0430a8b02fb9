"""C loop, called through ctypes."""

import ctypes

SOURCES = ("cumsum.c",)


def prepare(case):
    cumsum = getattr(ctypes.CDLL(case.artifact("cumsum.c")), f"cumsum_{case.dtype}")
    cumsum.argtypes, cumsum.restype = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64), None
    return lambda x, out: cumsum(x.ctypes.data, out.ctypes.data, x.size)
