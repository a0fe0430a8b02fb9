"""C tile by tile, the arrays taken out of Python's by nanobind."""

SOURCES = ("transpose_nanobind.cpp", "transpose.c")
VARIANTS = {"native": ("-march=native",), "openmp": ("-fopenmp", "-march=native")}


def prepare(case):
    return getattr(case.artifact("transpose_nanobind.cpp"), case.dtype)
