"""C loop, called through CFFI's ABI mode."""

import cffi

SOURCES = ("monte_carlo_pi.c",)
TOOLCHAIN = "c"


def prepare(case):
    ffi = cffi.FFI()
    ffi.cdef(f"double monte_carlo_pi_{case.dtype}(int64_t n, uint64_t seed);")
    library = ffi.dlopen(case.artifact("monte_carlo_pi.c"))
    monte_carlo_pi = getattr(library, f"monte_carlo_pi_{case.dtype}")

    def run(n, seed):
        return monte_carlo_pi(n, seed)

    run.library = library  # keeps the library open; closing it would unload its functions
    return run
