"""C loop with OpenMP threads and SIMD lanes (with fast-math, several sums per lane), called through CFFI's API mode."""

SOURCES = ("vector_sum.c",)
FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math", "-funroll-loops", "-fvariable-expansion-in-unroller")}


def prepare(case):
    extension, array = case.artifact("vector_sum.c"), f"{case.ctype}[]"
    vector_sum, from_buffer = getattr(extension.lib, f"vector_sum_{case.dtype}"), extension.ffi.from_buffer
    return lambda x: vector_sum(from_buffer(array, x), x.size)
