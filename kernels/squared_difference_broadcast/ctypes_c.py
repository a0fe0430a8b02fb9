"""C loops, called through ctypes."""

import ctypes

SOURCES = ("squared_difference_broadcast.c",)


def prepare(case):
    library = ctypes.CDLL(case.artifact("squared_difference_broadcast.c"))
    squared_difference = getattr(library, f"squared_difference_broadcast_{case.dtype}")
    squared_difference.argtypes, squared_difference.restype = 3 * (ctypes.c_void_p,) + 2 * (ctypes.c_int64,), None
    return lambda x, y, out: squared_difference(x.ctypes.data, y.ctypes.data, out.ctypes.data, *x.shape)
