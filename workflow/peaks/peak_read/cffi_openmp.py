"""C with OpenMP threads and SIMD lanes. Each thread has several accumulators."""

SOURCES = ("peak_read.c",)
FLAGS = ("-fopenmp", "-ffast-math", "-march=native", "-funroll-loops", "-fvariable-expansion-in-unroller")
# On some processors, unrolled loops take a sixth longer, and reading several parts in turn takes a quarter less.
VARIANTS = {"rolled": ("-fno-unroll-loops", "-fno-variable-expansion-in-unroller"), "streams": ("-DSTREAMS=8",)}


def prepare(case):
    extension, array = case.artifact("peak_read.c"), f"{case.ctype}[]"
    peak_read, from_buffer = getattr(extension.lib, f"peak_read_{case.dtype}"), extension.ffi.from_buffer
    return lambda x: peak_read(from_buffer(array, x), x.size)
