"""C loop, called through ctypes."""

import ctypes

SOURCES = ("vector_add.c",)


def prepare(case):
    vector_add = getattr(ctypes.CDLL(case.artifact("vector_add.c")), f"vector_add_{case.dtype}")
    vector_add.argtypes, vector_add.restype = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64), None
    return lambda x, y, out: vector_add(x.ctypes.data, y.ctypes.data, out.ctypes.data, x.size)
