"""C loop with OpenMP threads, called through CFFI's API mode."""

SOURCES = ("vector_multiply.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, array = case.artifact("vector_multiply.c"), f"{case.ctype}[]"
    multiply, from_buffer = getattr(extension.lib, f"vector_multiply_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, y, out: multiply(from_buffer(array, x), from_buffer(array, y), from_buffer(array, out), x.size)
