"""C function called through CFFI's ABI mode: libffi passes the argument, whose type CFFI looks up at run time."""

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

    run.library = library  # keeps the library open; closing it would unload its functions
    return run
