"""C loops, tile by tile, with OpenMP threads that share rows of tiles, called through CFFI's API mode."""

SOURCES = ("transpose.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, array = case.artifact("transpose.c"), f"{case.ctype}[]"
    transpose, from_buffer = getattr(extension.lib, f"transpose_blocked_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, out: transpose(from_buffer(array, x), from_buffer(array, out), len(x))
