"""C loops, called through ctypes."""

import ctypes

SOURCES = ("spmv.c",)


def prepare(case):
    spmv = getattr(ctypes.CDLL(case.artifact("spmv.c")), f"spmv_{case.dtype}")
    spmv.argtypes, spmv.restype = (ctypes.c_int64, *5 * (ctypes.c_void_p,)), None
    return lambda *arrays: spmv(arrays[-1].size, *(array.ctypes.data for array in arrays))
