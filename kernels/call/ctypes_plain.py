"""C function called through ctypes, with the argument wrapped by hand in every call."""

import ctypes

SOURCES = ("call.c",)


def prepare(case):
    add_one = ctypes.CDLL(case.artifact("call.c")).call_float64
    add_one.restype = ctypes.c_double  # with the default, int, ctypes would read a wrong register
    size, c_double = case.size, ctypes.c_double

    def run(x):
        for _ in range(size):
            x = add_one(c_double(x))
        return x

    return run
