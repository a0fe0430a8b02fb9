"""C loop, called through nanobind."""

SOURCES = ("histogram_nanobind.cpp", "histogram.c")
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    return getattr(case.artifact("histogram_nanobind.cpp"), case.dtype)
