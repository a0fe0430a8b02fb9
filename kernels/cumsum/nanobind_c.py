"""C loop, its arrays taken out of Python's by nanobind."""

SOURCES = ("cumsum_nanobind.cpp", "cumsum.c")
VARIANTS = {"native": ("-fopenmp-simd", "-march=native")}


def prepare(case):
    return getattr(case.artifact("cumsum_nanobind.cpp"), case.dtype)
