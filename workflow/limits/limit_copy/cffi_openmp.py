"""C with OpenMP threads, non-temporal stores and, unless its name says otherwise, prefetching."""

SOURCES = ("limit_copy.c",)
FLAGS = ("-fopenmp", "-march=native")
VARIANTS = {"unprefetched": ("-DAHEAD=0",)}


def prepare(case):
    extension = case.artifact("limit_copy.c")
    from_buffer = extension.ffi.from_buffer
    limit_copy = extension.lib.limit_copy
    return lambda x, out: limit_copy(from_buffer("char[]", x), from_buffer("char[]", out), x.nbytes)
