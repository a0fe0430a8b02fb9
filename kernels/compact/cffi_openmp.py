"""C with OpenMP through CFFI's API mode. Each thread counts and then copies the selected elements of its part."""

SOURCES = ("compact_openmp.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, array = case.artifact("compact_openmp.c"), f"{case.ctype}[]"
    compact, from_buffer = getattr(extension.lib, f"compact_openmp_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, out: compact(from_buffer(array, x), from_buffer(array, out), x.size)
