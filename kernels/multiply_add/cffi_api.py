"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("multiply_add.c",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    extension, array = case.artifact("multiply_add.c"), f"{case.ctype}[]"
    multiply_add, buffer = getattr(extension.lib, f"multiply_add_{case.dtype}"), extension.ffi.from_buffer
    return lambda x1, x2, b, out: multiply_add(buffer(array, x1), buffer(array, x2), b, buffer(array, out), x1.size)
