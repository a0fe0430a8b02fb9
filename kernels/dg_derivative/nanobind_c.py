"""C loops, their arrays taken out of Python's by nanobind."""

SOURCES = ("dg_derivative_nanobind.cpp", "dg_derivative.c")
VARIANTS = {"native": ("-march=native",), "openmp": ("-fopenmp", "-march=native")}


def prepare(case):
    return getattr(case.artifact("dg_derivative_nanobind.cpp"), case.dtype)
