"""C loop, called through ctypes."""

import ctypes

SOURCES = ("vector_sum.c",)


def prepare(case):
    vector_sum = getattr(ctypes.CDLL(case.artifact("vector_sum.c")), f"vector_sum_{case.dtype}")
    vector_sum.argtypes = (ctypes.c_void_p, ctypes.c_int64)
    vector_sum.restype = {"float64": ctypes.c_double, "float32": ctypes.c_float}[case.dtype]

    def run(x):
        return vector_sum(x.ctypes.data, x.size)

    return run
