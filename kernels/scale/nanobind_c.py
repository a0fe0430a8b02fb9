"""C loop, its arrays taken out of Python's by nanobind."""

SOURCES = ("scale_nanobind.cpp", "scale.c")
VARIANTS = {"native": ("-march=native",), "openmp": ("-fopenmp", "-march=native")}


def prepare(case):
    return getattr(case.artifact("scale_nanobind.cpp"), case.dtype)
