"""C loops with OpenMP threads that share the rows, called through CFFI's API mode."""

ALGORITHM = "plain loops"
SOURCES = ("matmul.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, array = case.artifact("matmul.c"), f"{case.ctype}[]"
    matmul, from_buffer = getattr(extension.lib, f"matmul_{case.dtype}"), extension.ffi.from_buffer
    return lambda a, b, out: matmul(len(a), from_buffer(array, a), from_buffer(array, b), from_buffer(array, out))
