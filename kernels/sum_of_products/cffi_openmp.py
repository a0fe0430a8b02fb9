"""C loops with SIMD lanes and OpenMP threads that share the rows, called through CFFI's API mode."""

SOURCES = ("sum_of_products.c",)
FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    extension, array = case.artifact("sum_of_products.c"), f"{case.ctype}[]"
    add_up, buffer = getattr(extension.lib, f"sum_of_products_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, y, out: add_up(buffer(array, x), buffer(array, y), buffer(array, out), *x.shape)
