"""CFFI's ABI mode: the types are read at run time, arguments go through libffi."""

import cffi

SOURCES = ("call.c",)
TOOLCHAIN = "c"


def prepare(case):
    ffi = cffi.FFI()
    ffi.cdef("double call_float64(double x);")
    library = ffi.dlopen(case.artifact("call.c"))
    size, add_one = case.size, library.call_float64

    def run(x):
        for _ in range(size):
            x = add_one(x)
        return x

    run.library = library  # keeps the library open: without a reference it is closed, and its functions are gone
    return run
