"""C loop, called through ctypes."""

import ctypes

SOURCES = ("trace.c",)


def prepare(case):
    trace = getattr(ctypes.CDLL(case.artifact("trace.c")), f"trace_{case.dtype}")
    trace.argtypes, trace.restype = (ctypes.c_void_p, ctypes.c_int64), getattr(ctypes, f"c_{case.ctype}")
    return lambda a: trace(a.ctypes.data, len(a))
