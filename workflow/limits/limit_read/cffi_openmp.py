"""C with OpenMP threads and SIMD lanes, several accumulators each."""

SOURCES = ("limit_read.c",)
FLAGS = ("-fopenmp", "-ffast-math", "-march=native", "-funroll-loops", "-fvariable-expansion-in-unroller")


def prepare(case):
    extension, array = case.artifact("limit_read.c"), f"{case.ctype}[]"
    limit_read, from_buffer = getattr(extension.lib, f"limit_read_{case.dtype}"), extension.ffi.from_buffer
    return lambda x: limit_read(from_buffer(array, x), x.size)
