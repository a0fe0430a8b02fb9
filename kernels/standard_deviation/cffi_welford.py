"""C loop in one pass by Welford's update, called through CFFI's API mode."""

SOURCES = ("standard_deviation.c",)
FLAGS = ("-march=native",)


def prepare(case):
    extension, array = case.artifact("standard_deviation.c"), f"{case.ctype}[]"
    deviation, buffer = getattr(extension.lib, f"standard_deviation_welford_{case.dtype}"), extension.ffi.from_buffer
    return lambda x: deviation(buffer(array, x), x.size)
