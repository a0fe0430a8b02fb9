"""C loop, called through nanobind."""

SOURCES = ("scale_nanobind.cpp", "scale.c")
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    return getattr(case.artifact("scale_nanobind.cpp"), case.dtype)
