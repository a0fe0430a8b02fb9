"""C with OpenMP threads and non-temporal stores."""

SOURCES = ("limit_write.c",)
FLAGS = ("-fopenmp", "-march=native")


def prepare(case):
    extension, array = case.artifact("limit_write.c"), f"{case.ctype}[]"
    limit_write, from_buffer = getattr(extension.lib, f"limit_write_{case.dtype}"), extension.ffi.from_buffer
    return lambda a, out: limit_write(a, from_buffer(array, out), out.size)
