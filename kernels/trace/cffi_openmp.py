"""C loop with OpenMP threads, called through CFFI's API mode: waking them takes longer than a short diagonal."""

SOURCES = ("trace.c",)
FLAGS = ("-fopenmp", "-ffast-math", "-march=native")


def prepare(case):
    extension, array = case.artifact("trace.c"), f"{case.ctype}[]"
    trace, from_buffer = getattr(extension.lib, f"trace_{case.dtype}"), extension.ffi.from_buffer
    return lambda a: trace(from_buffer(array, a), len(a))
