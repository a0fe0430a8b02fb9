"""C with OpenMP threads and non-temporal stores."""

SOURCES = ("peak_write.c",)
FLAGS = ("-fopenmp", "-march=native")


def prepare(case):
    extension, array = case.artifact("peak_write.c"), f"{case.ctype}[]"
    peak_write, from_buffer = getattr(extension.lib, f"peak_write_{case.dtype}"), extension.ffi.from_buffer
    return lambda a, out: peak_write(a, from_buffer(array, out), out.size)
