"""C loop, called through nanobind, which takes the arrays out of Python objects."""

SOURCES = ("scale_nanobind.cpp", "scale.c")
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    return getattr(case.artifact("scale_nanobind.cpp"), case.dtype)
