"""C loop hashing a counter (SplitMix64), with OpenMP threads, called through CFFI's API mode."""

from itertools import count

SOURCES = ("random_fill.c",)
FLAGS = ("-fopenmp", "-march=native")


def prepare(case):
    extension = case.artifact("random_fill.c")
    from_buffer = extension.ffi.from_buffer
    random_fill = getattr(extension.lib, f"random_fill_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]
    drawn = count(0, case.size)

    def run(out):
        random_fill(next(drawn), from_buffer(array, out), out.size)

    return run
