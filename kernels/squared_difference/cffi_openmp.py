"""C loop with OpenMP threads, called through CFFI's API mode."""

SOURCES = ("squared_difference.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, array = case.artifact("squared_difference.c"), f"{case.ctype}[]"
    difference, buffer = getattr(extension.lib, f"squared_difference_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, y, out: difference(buffer(array, x), buffer(array, y), buffer(array, out), x.size)
