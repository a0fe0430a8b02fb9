"""C loop, called through ctypes."""

import ctypes

SOURCES = ("saxpy.c",)


def prepare(case):
    real = getattr(ctypes, f"c_{case.ctype}")
    saxpy = getattr(ctypes.CDLL(case.artifact("saxpy.c")), f"saxpy_{case.dtype}")
    saxpy.argtypes, saxpy.restype = (real, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64), None
    return lambda a, x, y, out: saxpy(a, x.ctypes.data, y.ctypes.data, out.ctypes.data, x.size)
