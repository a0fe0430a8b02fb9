"""C, called through ctypes."""

import ctypes

SOURCES = ("monte_carlo_pi.c",)


def prepare(case):
    library = ctypes.CDLL(case.artifact("monte_carlo_pi.c"))
    run = library[f"monte_carlo_pi_{case.dtype}"]
    run.argtypes, run.restype = (ctypes.c_int64, ctypes.c_uint64), ctypes.c_double
    return run
