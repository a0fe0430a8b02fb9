"""C with OpenMP and a private histogram per thread, called through CFFI's API mode."""

SOURCES = ("histogram.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, array = case.artifact("histogram.c"), f"{case.ctype}[]"
    histogram, from_buffer = getattr(extension.lib, f"histogram_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, counts: histogram(from_buffer(array, x), from_buffer("int32_t[]", counts), x.size, counts.size)
