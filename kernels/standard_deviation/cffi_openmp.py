"""C loops in two passes with OpenMP threads and SIMD lanes, called through CFFI's API mode."""

SOURCES = ("standard_deviation.c",)
FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    extension, array = case.artifact("standard_deviation.c"), f"{case.ctype}[]"
    deviation, from_buffer = getattr(extension.lib, f"standard_deviation_{case.dtype}"), extension.ffi.from_buffer
    return lambda x: deviation(from_buffer(array, x), x.size)
