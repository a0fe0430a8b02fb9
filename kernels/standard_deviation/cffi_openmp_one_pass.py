"""C loop in one pass, shifted, with OpenMP threads and SIMD lanes, through CFFI's API mode."""

SOURCES = ("standard_deviation.c",)
FLAGS = ("-fopenmp", "-ffast-math", "-march=native")


def prepare(case):
    extension = case.artifact("standard_deviation.c")
    from_buffer = extension.ffi.from_buffer
    deviation = getattr(extension.lib, f"standard_deviation_one_pass_{case.dtype}")
    array = f"{case.ctype}[]"
    return lambda x: deviation(from_buffer(array, x), x.size)
