"""Pythran: loops tile by tile; with OpenMP, threads share rows of tiles."""

SOURCES = ("_transpose.py",)
VARIANTS = {"native": ("-march=native",), "openmp": ("-fopenmp", "-march=native")}


def prepare(case):
    return case.artifact("_transpose.py").transpose
