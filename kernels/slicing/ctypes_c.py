"""C loops, called through ctypes."""

import ctypes

SOURCES = ("slicing.c",)


def prepare(case):
    slicing = getattr(ctypes.CDLL(case.artifact("slicing.c")), f"slicing_{case.dtype}")
    slicing.argtypes, slicing.restype = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64), None
    return lambda x, out: slicing(x.ctypes.data, out.ctypes.data, *out.shape)
