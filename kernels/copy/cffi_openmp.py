"""C loop with OpenMP threads, called through CFFI's API mode."""

SOURCES = ("copy.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, array = case.artifact("copy.c"), f"{case.ctype}[]"
    copy, from_buffer = getattr(extension.lib, f"copy_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, out: copy(from_buffer(array, x), from_buffer(array, out), x.size)
