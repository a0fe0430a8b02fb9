"""C loop, called through ctypes."""

from ctypes import CDLL, c_int32, c_int64, c_void_p

SOURCES = ("histogram.c",)


def prepare(case):
    histogram = getattr(CDLL(case.artifact("histogram.c")), f"histogram_{case.dtype}")
    histogram.argtypes, histogram.restype = (c_void_p, c_void_p, c_int64, c_int32), None
    return lambda x, counts: histogram(x.ctypes.data, counts.ctypes.data, x.size, counts.size)
