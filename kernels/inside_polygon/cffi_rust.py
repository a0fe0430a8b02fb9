"""Rust, row by row, called through CFFI."""

import cffi

PARAMETERS = ("threads",)
SOURCES = ("inside_polygon.rs",)
TOOLCHAIN = "rust"


def prepare(case):
    ffi, threads = cffi.FFI(), case.threads
    ffi.cdef(
        "void inside_polygon_int32("
        "int32_t *polygon, size_t vertices, uint8_t *mask, size_t height, size_t width, size_t threads);"
    )
    library = ffi.dlopen(case.artifact("inside_polygon.rs"))
    inside_polygon, buffer = library.inside_polygon_int32, ffi.from_buffer

    def run(polygon, mask):
        inside_polygon(buffer("int32_t[]", polygon), len(polygon), buffer("uint8_t[]", mask), *mask.shape, threads)

    run.library = library  # keeps the library open; closing it would unload its functions
    return run
