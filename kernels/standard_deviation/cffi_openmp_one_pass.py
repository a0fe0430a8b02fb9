"""C loop in one pass, shifted, with OpenMP threads and SIMD lanes, through CFFI's API mode."""

SOURCES = ("standard_deviation.c",)
FLAGS = ("-fopenmp", "-ffast-math", "-march=native")


def prepare(case):
    extension, array = case.artifact("standard_deviation.c"), f"{case.ctype}[]"
    deviation, buffer = getattr(extension.lib, f"standard_deviation_one_pass_{case.dtype}"), extension.ffi.from_buffer
    return lambda x: deviation(buffer(array, x), x.size)
