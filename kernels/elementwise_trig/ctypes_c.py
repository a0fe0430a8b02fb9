"""C loop, called through ctypes."""

import ctypes

SOURCES = ("elementwise_trig.c",)


def prepare(case):
    trig = getattr(ctypes.CDLL(case.artifact("elementwise_trig.c")), f"elementwise_trig_{case.dtype}")
    trig.argtypes, trig.restype = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64), None
    return lambda x, out: trig(x.ctypes.data, out.ctypes.data, x.size)
