"""C loop with OpenMP threads, called through CFFI's API mode."""

SOURCES = ("scale.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, array = case.artifact("scale.c"), f"{case.ctype}[]"
    scale, from_buffer = getattr(extension.lib, f"scale_{case.dtype}"), extension.ffi.from_buffer
    return lambda factor, x, y: scale(factor, from_buffer(array, x), from_buffer(array, y), x.size)
