"""C tile by tile, the arrays taken out of Python's by nanobind."""

SOURCES = ("transpose_nanobind.cpp", "transpose.c")
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    return getattr(case.artifact("transpose_nanobind.cpp"), case.dtype)
