"""C loops with OpenMP threads that share the rows, called through CFFI's API mode."""

SOURCES = ("stencil.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, array = case.artifact("stencil.c"), f"{case.ctype}[]"
    stencil, from_buffer = getattr(extension.lib, f"stencil_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, out: stencil(from_buffer(array, x), from_buffer(array, out), len(x))
