"""Rust loop, called through CFFI."""

import cffi

PARAMETERS = ("threads",)
SOURCES = ("monte_carlo_pi.rs",)
TOOLCHAIN = "rust"


def prepare(case):
    ffi, threads = cffi.FFI(), case.threads
    ffi.cdef(f"double monte_carlo_pi_{case.dtype}(uint64_t n, uint64_t seed, uint64_t threads);")
    library = ffi.dlopen(case.artifact("monte_carlo_pi.rs"))
    monte_carlo_pi = getattr(library, f"monte_carlo_pi_{case.dtype}")

    def run(n, seed):
        return monte_carlo_pi(n, seed, threads)

    run.library = library  # keeps the library open; closing it would unload its functions
    return run
