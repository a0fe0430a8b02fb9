"""Pythran: a loop with OpenMP threads."""

SOURCES = ("_softplus_openmp.py",)
FLAGS = ("-fopenmp", "-ffast-math", "-march=native")


def prepare(case):
    return case.artifact("_softplus_openmp.py").softplus
