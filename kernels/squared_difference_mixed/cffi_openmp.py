"""C loop with OpenMP threads, called through CFFI's API mode."""

SOURCES = ("squared_difference_mixed.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, array = case.artifact("squared_difference_mixed.c"), f"{case.ctype}[]"
    difference, buffer = getattr(extension.lib, f"squared_difference_mixed_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, y, out: difference(buffer("int16_t[]", x), buffer(array, y), buffer(array, out), x.size)
