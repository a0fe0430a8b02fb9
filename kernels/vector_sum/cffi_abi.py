"""C loop in a shared library, called through CFFI's in-line ABI mode."""

from pathlib import Path

import cffi

ALGORITHM = "in order"
SOURCES = ("vector_sum.c",)
TOOLCHAIN = "c"


def prepare(case):
    ffi = cffi.FFI()
    ffi.cdef(Path(__file__).with_name("vector_sum.h").read_text())
    library = ffi.dlopen(case.artifact("vector_sum.c"))
    vector_sum = getattr(library, f"vector_sum_{case.dtype}")
    array = f"{case.ctype}[]"

    def run(x):
        return vector_sum(ffi.from_buffer(array, x), x.size)

    run.library = library  # keeps the library open; closing it would unload its functions
    return run
