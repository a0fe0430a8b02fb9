"""C loop in one pass by Welford's update, called through CFFI's API mode."""

SOURCES = ("standard_deviation.c",)
FLAGS = ("-march=native",)


def prepare(case):
    extension = case.artifact("standard_deviation.c")
    from_buffer = extension.ffi.from_buffer
    deviation = getattr(extension.lib, f"standard_deviation_welford_{case.dtype}")
    array = f"{case.ctype}[]"
    return lambda x: deviation(from_buffer(array, x), x.size)
