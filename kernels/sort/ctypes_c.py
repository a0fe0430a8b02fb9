"""Radix sort in C, called through ctypes."""

import ctypes

import numpy as np

SOURCES = ("sort.c",)


def prepare(case):
    sort = getattr(ctypes.CDLL(case.artifact("sort.c")), f"sort_{case.dtype}")
    sort.argtypes, sort.restype = (*[ctypes.c_void_p] * 3, ctypes.c_int64), None
    scratch = np.empty(case.size, case.dtype)
    return lambda x, out: sort(x.ctypes.data, out.ctypes.data, scratch.ctypes.data, x.size)
