"""C loops, called through ctypes."""

import ctypes

SOURCES = ("l2norm.c",)


def prepare(case):
    l2norm = getattr(ctypes.CDLL(case.artifact("l2norm.c")), f"l2norm_{case.dtype}")
    l2norm.argtypes, l2norm.restype = (*[ctypes.c_void_p] * 2, ctypes.c_int64, ctypes.c_int64), None
    return lambda x, out: l2norm(x.ctypes.data, out.ctypes.data, *x.shape)
