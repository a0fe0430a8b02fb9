"""C loops with SIMD lanes and OpenMP threads that share the rows, called through CFFI's API mode."""

SOURCES = ("l2norm.c",)
FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    extension, array = case.artifact("l2norm.c"), f"{case.ctype}[]"
    l2norm, from_buffer = getattr(extension.lib, f"l2norm_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, out: l2norm(from_buffer(array, x), from_buffer(array, out), *x.shape)
