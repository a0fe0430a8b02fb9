"""C loop with OpenMP threads and non-temporal stores, called through CFFI's API mode."""

SOURCES = ("copy_streaming.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, array = case.artifact("copy_streaming.c"), f"{case.ctype}[]"
    copy, from_buffer = getattr(extension.lib, f"copy_streaming_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, out: copy(from_buffer(array, x), from_buffer(array, out), x.size)
