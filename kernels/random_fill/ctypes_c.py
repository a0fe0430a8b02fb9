"""C loop hashing a counter (SplitMix64), called through ctypes."""

import ctypes
from itertools import count

SOURCES = ("random_fill.c",)


def prepare(case):
    random_fill = getattr(ctypes.CDLL(case.artifact("random_fill.c")), f"random_fill_{case.dtype}")
    random_fill.argtypes, random_fill.restype = (ctypes.c_uint64, ctypes.c_void_p, ctypes.c_int64), None
    drawn = count(0, case.size)
    return lambda out: random_fill(next(drawn), out.ctypes.data, out.size)
