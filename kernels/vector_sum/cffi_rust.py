"""Rust loop with a partial sum per SIMD lane, called through CFFI."""

import cffi

PARAMETERS = ("threads",)
SOURCES = ("vector_sum.rs",)
TOOLCHAIN = "rust"


def prepare(case):
    ffi, array, threads = cffi.FFI(), f"{case.ctype}[]", case.threads
    ffi.cdef(f"{case.ctype} vector_sum_{case.dtype}({case.ctype} *x, size_t n, size_t threads);")
    library = ffi.dlopen(case.artifact("vector_sum.rs"))
    vector_sum = getattr(library, f"vector_sum_{case.dtype}")

    def run(x):
        return vector_sum(ffi.from_buffer(array, x), x.size, threads)

    run.library = library  # keeps the library open; closing it would unload its functions
    return run
