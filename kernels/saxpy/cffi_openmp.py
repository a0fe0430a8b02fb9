"""C loop with OpenMP threads, called through CFFI's API mode."""

SOURCES = ("saxpy.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, array = case.artifact("saxpy.c"), f"{case.ctype}[]"
    saxpy, from_buffer = getattr(extension.lib, f"saxpy_{case.dtype}"), extension.ffi.from_buffer
    return lambda a, x, y, out: saxpy(a, from_buffer(array, x), from_buffer(array, y), from_buffer(array, out), x.size)
