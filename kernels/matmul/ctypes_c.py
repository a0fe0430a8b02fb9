"""C loops, called through ctypes."""

import ctypes

SOURCES = ("matmul.c",)


def prepare(case):
    matmul = getattr(ctypes.CDLL(case.artifact("matmul.c")), f"matmul_{case.dtype}")
    matmul.argtypes, matmul.restype = (ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p), None
    return lambda a, b, out: matmul(len(a), a.ctypes.data, b.ctypes.data, out.ctypes.data)
