"""C loop with OpenMP threads and non-temporal stores, called through CFFI's API mode: for arrays beyond the caches."""

SOURCES = ("fill_streaming.c",)
FLAGS = ("-fopenmp", "-march=native")


def prepare(case):
    extension, array = case.artifact("fill_streaming.c"), f"{case.ctype}[]"
    fill, from_buffer = getattr(extension.lib, f"fill_streaming_{case.dtype}"), extension.ffi.from_buffer
    return lambda out: fill(from_buffer(array, out), out.size)
