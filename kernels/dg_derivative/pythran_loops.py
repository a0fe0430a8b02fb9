"""Pythran: loops; with OpenMP, threads share the elements."""

SOURCES = ("_dg_derivative.py",)
VARIANTS = {"native": ("-march=native",), "openmp": ("-fopenmp", "-march=native")}


def prepare(case):
    return case.artifact("_dg_derivative.py").dg_derivative
