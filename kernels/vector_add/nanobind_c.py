"""C loop, its arrays taken out of Python's by nanobind."""

SOURCES = ("vector_add_nanobind.cpp", "vector_add.c")
VARIANTS = {"native": ("-march=native",), "openmp": ("-fopenmp", "-march=native")}


def prepare(case):
    return getattr(case.artifact("vector_add_nanobind.cpp"), case.dtype)
