"""C loop with OpenMP threads and SIMD lanes, called through CFFI's API mode."""

SOURCES = ("dot.c",)
FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math", "-funroll-loops", "-fvariable-expansion-in-unroller")}


def prepare(case):
    extension, array = case.artifact("dot.c"), f"{case.ctype}[]"
    dot, from_buffer = getattr(extension.lib, f"dot_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, y: dot(from_buffer(array, x), from_buffer(array, y), x.size)
