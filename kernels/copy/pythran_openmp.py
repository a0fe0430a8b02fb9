"""Pythran-compiled loop with OpenMP threads."""

SOURCES = ("_copy_openmp.py",)
FLAGS = ("-fopenmp",)


def prepare(case):
    return case.artifact("_copy_openmp.py").copy
