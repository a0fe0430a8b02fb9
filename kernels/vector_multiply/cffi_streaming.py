"""C loop with OpenMP threads and non-temporal stores, called through CFFI's API mode."""

SOURCES = ("vector_multiply_streaming.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, array = case.artifact("vector_multiply_streaming.c"), f"{case.ctype}[]"
    multiply, from_buffer = getattr(extension.lib, f"vector_multiply_streaming_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, y, out: multiply(from_buffer(array, x), from_buffer(array, y), from_buffer(array, out), x.size)
