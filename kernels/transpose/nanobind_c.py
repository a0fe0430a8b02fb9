"""C loops, tile by tile, called through nanobind."""

SOURCES = ("transpose_nanobind.cpp", "transpose.c")
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    return getattr(case.artifact("transpose_nanobind.cpp"), case.dtype)
