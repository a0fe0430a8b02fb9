"""C loops, called through ctypes."""

import ctypes

SOURCES = ("stencil.c",)


def prepare(case):
    stencil = getattr(ctypes.CDLL(case.artifact("stencil.c")), f"stencil_{case.dtype}")
    stencil.argtypes, stencil.restype = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64), None
    return lambda x, out: stencil(x.ctypes.data, out.ctypes.data, len(x))
