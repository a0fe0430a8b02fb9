"""Rust loops, threads scheduled dynamically by row, called through CFFI."""

import cffi

PARAMETERS = ("threads",)
SOURCES = ("mandelbrot.rs",)
TOOLCHAIN = "rust"


def prepare(case):
    ffi, array, threads = cffi.FFI(), f"{case.ctype}[]", case.threads
    real = f"{case.ctype} *"
    ffi.cdef(
        f"void mandelbrot_{case.dtype}({real}x, {real}y, int32_t limit, int32_t *counts, size_t n, size_t threads);"
    )
    library = ffi.dlopen(case.artifact("mandelbrot.rs"))
    mandelbrot, buffer = getattr(library, f"mandelbrot_{case.dtype}"), ffi.from_buffer

    def run(x, y, limit, counts):
        mandelbrot(buffer(array, x), buffer(array, y), limit, buffer("int32_t[]", counts), x.size, threads)

    run.library = library  # keeps the library open; closing it would unload its functions
    return run
