"""C loop, its arrays taken out of Python's by nanobind."""

SOURCES = ("copy_nanobind.cpp", "copy.c")
VARIANTS = {"openmp": ("-fopenmp", "-march=native")}


def prepare(case):
    return getattr(case.artifact("copy_nanobind.cpp"), case.dtype)
