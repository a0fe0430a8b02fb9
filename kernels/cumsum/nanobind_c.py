"""C loop, called through nanobind, which takes the arrays out of Python objects."""

SOURCES = ("cumsum_nanobind.cpp", "cumsum.c")
VARIANTS = {"native": ("-fopenmp-simd", "-march=native")}


def prepare(case):
    return getattr(case.artifact("cumsum_nanobind.cpp"), case.dtype)
