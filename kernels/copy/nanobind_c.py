"""C loop, called through nanobind, which takes the arrays out of Python objects."""

SOURCES = ("copy_nanobind.cpp", "copy.c")
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    return getattr(case.artifact("copy_nanobind.cpp"), case.dtype)
