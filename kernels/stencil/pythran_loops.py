"""Pythran: loops; with OpenMP, threads share the rows."""

SOURCES = ("_stencil.py",)
VARIANTS = {"native": ("-march=native",), "openmp": ("-fopenmp", "-march=native")}


def prepare(case):
    return case.artifact("_stencil.py").stencil
