"""C loop without a branch, called through ctypes."""

import ctypes

SOURCES = ("compact.c",)


def prepare(case):
    compact = getattr(ctypes.CDLL(case.artifact("compact.c")), f"compact_{case.dtype}")
    compact.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    compact.restype = ctypes.c_int64

    def run(x, out):
        return compact(x.ctypes.data, out.ctypes.data, x.size)

    return run
