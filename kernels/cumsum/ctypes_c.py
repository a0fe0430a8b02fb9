"""C loop, called through ctypes."""

import ctypes

SOURCES = ("cumsum.c",)


def prepare(case):
    cumsum = getattr(ctypes.CDLL(case.artifact("cumsum.c")), f"cumsum_{case.dtype}")
    cumsum.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    cumsum.restype = None

    def run(x, out):
        cumsum(x.ctypes.data, out.ctypes.data, x.size)

    return run
