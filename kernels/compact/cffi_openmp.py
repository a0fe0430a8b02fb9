"""C with OpenMP, called through CFFI's API mode: each thread counts the selected elements of its part, then copies them."""

SOURCES = ("compact_openmp.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, array = case.artifact("compact_openmp.c"), f"{case.ctype}[]"
    compact, from_buffer = getattr(extension.lib, f"compact_openmp_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, out: compact(from_buffer(array, x), from_buffer(array, out), x.size)
