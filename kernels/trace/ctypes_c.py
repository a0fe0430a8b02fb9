"""C loop, called through ctypes."""

import ctypes

SOURCES = ("trace.c",)


def prepare(case):
    trace = getattr(ctypes.CDLL(case.artifact("trace.c")), f"trace_{case.dtype}")
    trace.argtypes = (ctypes.c_void_p, ctypes.c_int64)
    trace.restype = {"float64": ctypes.c_double, "float32": ctypes.c_float}[case.dtype]

    def run(a):
        return trace(a.ctypes.data, len(a))

    return run
