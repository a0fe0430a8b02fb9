"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("fill.c",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    extension, array = case.artifact("fill.c"), f"{case.ctype}[]"
    fill, from_buffer = getattr(extension.lib, f"fill_{case.dtype}"), extension.ffi.from_buffer
    return lambda out: fill(from_buffer(array, out), out.size)
