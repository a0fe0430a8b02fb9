"""C loops in two passes, called through ctypes."""

import ctypes

SOURCES = ("standard_deviation.c",)


def prepare(case):
    library = ctypes.CDLL(case.artifact("standard_deviation.c"))
    deviation = getattr(library, f"standard_deviation_{case.dtype}")
    deviation.argtypes, deviation.restype = (ctypes.c_void_p, ctypes.c_int64), getattr(ctypes, f"c_{case.ctype}")
    return lambda x: deviation(x.ctypes.data, x.size)
