"""C loop hashing a counter (SplitMix64), called through CFFI's API mode."""

from itertools import count

SOURCES = ("random_fill.c",)


def prepare(case):
    extension, array = case.artifact("random_fill.c"), f"{case.ctype}[]"
    random_fill, from_buffer = getattr(extension.lib, f"random_fill_{case.dtype}"), extension.ffi.from_buffer
    drawn = count(0, case.size)
    return lambda out: random_fill(next(drawn), from_buffer(array, out), out.size)
