"""C loop without a branch, called through ctypes."""

import ctypes

SOURCES = ("compact.c",)


def prepare(case):
    compact = getattr(ctypes.CDLL(case.artifact("compact.c")), f"compact_{case.dtype}")
    compact.argtypes, compact.restype = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64), ctypes.c_int64
    return lambda x, out: compact(x.ctypes.data, out.ctypes.data, x.size)
