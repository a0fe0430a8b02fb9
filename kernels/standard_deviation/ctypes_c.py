"""C loops in two passes, called through ctypes."""

import ctypes

SOURCES = ("standard_deviation.c",)


def prepare(case):
    library = ctypes.CDLL(case.artifact("standard_deviation.c"))
    deviation = getattr(library, f"standard_deviation_{case.dtype}")
    deviation.argtypes = (ctypes.c_void_p, ctypes.c_int64)
    deviation.restype = {"float64": ctypes.c_double, "float32": ctypes.c_float}[case.dtype]

    def run(x):
        return deviation(x.ctypes.data, x.size)

    return run
