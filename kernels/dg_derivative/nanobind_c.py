"""C loops, called through nanobind, which takes the arrays out of Python objects."""

SOURCES = ("dg_derivative_nanobind.cpp", "dg_derivative.c")
VARIANTS = {"native": ("-march=native",), "openmp": ("-fopenmp", "-march=native")}


def prepare(case):
    return getattr(case.artifact("dg_derivative_nanobind.cpp"), case.dtype)
