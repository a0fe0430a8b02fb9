"""C with OpenMP threads, non-temporal stores and prefetching. The variant unprefetched does not prefetch."""

SOURCES = ("peak_copy.c",)
FLAGS = ("-fopenmp", "-march=native")
VARIANTS = {"unprefetched": ("-DAHEAD=0",)}


def prepare(case):
    extension = case.artifact("peak_copy.c")
    from_buffer = extension.ffi.from_buffer
    peak_copy = extension.lib.peak_copy
    return lambda x, out: peak_copy(from_buffer("char[]", x), from_buffer("char[]", out), x.nbytes)
