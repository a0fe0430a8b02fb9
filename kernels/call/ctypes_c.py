"""C function called through ctypes, with the types of argument and result declared once."""

import ctypes

SOURCES = ("call.c",)


def prepare(case):
    add_one = ctypes.CDLL(case.artifact("call.c")).call_float64
    add_one.argtypes, add_one.restype = (ctypes.c_double,), ctypes.c_double
    size = case.size

    def run(x):
        for _ in range(size):
            x = add_one(x)
        return x

    return run
