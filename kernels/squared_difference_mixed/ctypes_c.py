"""C loop, called through ctypes."""

import ctypes

SOURCES = ("squared_difference_mixed.c",)


def prepare(case):
    library = ctypes.CDLL(case.artifact("squared_difference_mixed.c"))
    squared_difference = getattr(library, f"squared_difference_mixed_{case.dtype}")
    squared_difference.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    squared_difference.restype = None
    return lambda x, y, out: squared_difference(x.ctypes.data, y.ctypes.data, out.ctypes.data, x.size)
