"""C loop, called through ctypes."""

import ctypes

ALGORITHM = "in order"
SOURCES = ("vector_sum.c",)


def prepare(case):
    vector_sum = getattr(ctypes.CDLL(case.artifact("vector_sum.c")), f"vector_sum_{case.dtype}")
    vector_sum.argtypes, vector_sum.restype = (ctypes.c_void_p, ctypes.c_int64), getattr(ctypes, f"c_{case.ctype}")
    return lambda x: vector_sum(x.ctypes.data, x.size)
