"""C loop, called through nanobind."""

SOURCES = ("vector_add_nanobind.cpp", "vector_add.c")
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    return getattr(case.artifact("vector_add_nanobind.cpp"), case.dtype)
