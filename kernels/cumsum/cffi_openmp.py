"""C with OpenMP, called through CFFI's API mode: each thread adds up its part, then scans it."""

SOURCES = ("cumsum_openmp.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, array = case.artifact("cumsum_openmp.c"), f"{case.ctype}[]"
    cumsum, from_buffer = getattr(extension.lib, f"cumsum_openmp_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, out: cumsum(from_buffer(array, x), from_buffer(array, out), x.size)
