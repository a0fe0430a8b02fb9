"""Rust loop, called through CFFI."""

import cffi

PARAMETERS = ("threads",)
SOURCES = ("vector_multiply.rs",)
TOOLCHAIN = "rust"


def prepare(case):
    ffi, array, threads = cffi.FFI(), f"{case.ctype}[]", case.threads
    real = f"{case.ctype} *"
    ffi.cdef(f"void vector_multiply_{case.dtype}({real}x, {real}y, {real}out, size_t n, size_t threads);")
    library = ffi.dlopen(case.artifact("vector_multiply.rs"))
    multiply, from_buffer = getattr(library, f"vector_multiply_{case.dtype}"), ffi.from_buffer

    def run(x, y, out):
        multiply(from_buffer(array, x), from_buffer(array, y), from_buffer(array, out), x.size, threads)

    run.library = library  # keeps the library open; closing it would unload its functions
    return run
