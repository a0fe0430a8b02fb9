"""C with OpenMP threads, non-temporal stores and prefetching. The variant unprefetched does not prefetch."""

SOURCES = ("peak_triad.c",)
FLAGS = ("-fopenmp", "-march=native")
VARIANTS = {"unprefetched": ("-DAHEAD=0",)}


def prepare(case):
    extension, array = case.artifact("peak_triad.c"), f"{case.ctype}[]"
    peak_triad, from_buffer = getattr(extension.lib, f"peak_triad_{case.dtype}"), extension.ffi.from_buffer

    def run(a, x, y, out):
        peak_triad(a, from_buffer(array, x), from_buffer(array, y), from_buffer(array, out), x.size)

    return run
