"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("linear_combination.c",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    extension, array = case.artifact("linear_combination.c"), f"{case.ctype}[]"
    combine, buffer = getattr(extension.lib, f"linear_combination_{case.dtype}"), extension.ffi.from_buffer
    return lambda a, x, b, y, z: combine(a, buffer(array, x), b, buffer(array, y), buffer(array, z), x.size)
