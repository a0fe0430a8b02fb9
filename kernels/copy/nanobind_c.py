"""C loop, called through nanobind."""

SOURCES = ("copy_nanobind.cpp", "copy.c")
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    return getattr(case.artifact("copy_nanobind.cpp"), case.dtype)
