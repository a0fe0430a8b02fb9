"""C loops, called through CFFI's out-of-line API mode."""

SOURCES = ("slicing.c",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    extension, array = case.artifact("slicing.c"), f"{case.ctype}[]"
    slicing, from_buffer = getattr(extension.lib, f"slicing_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, out: slicing(from_buffer(array, x), from_buffer(array, out), *out.shape)
