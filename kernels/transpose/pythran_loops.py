"""Pythran-compiled loops, tile by tile; with OpenMP, threads share rows of tiles."""

SOURCES = ("_transpose.py",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    return case.artifact("_transpose.py").transpose
