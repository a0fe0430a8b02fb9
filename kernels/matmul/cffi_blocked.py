"""C blocked for caches and registers, called through CFFI's API mode."""

SOURCES = ("matmul_blocked.c",)
FLAGS = ("-march=native",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    extension, array = case.artifact("matmul_blocked.c"), f"{case.ctype}[]"
    matmul, from_buffer = getattr(extension.lib, f"matmul_blocked_{case.dtype}"), extension.ffi.from_buffer
    return lambda a, b, out: matmul(len(a), from_buffer(array, a), from_buffer(array, b), from_buffer(array, out))
