"""C, called through CFFI's ABI mode."""

import cffi

SOURCES = ("monte_carlo_pi.c",)
TOOLCHAIN = "c"


def prepare(case):
    ffi = cffi.FFI()
    ffi.cdef(f"double monte_carlo_pi_{case.dtype}(int64_t n, uint64_t seed);")
    library = ffi.dlopen(case.artifact("monte_carlo_pi.c"))
    return getattr(library, f"monte_carlo_pi_{case.dtype}")
