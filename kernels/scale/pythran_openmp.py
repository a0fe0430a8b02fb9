"""Pythran-compiled loop with OpenMP threads."""

SOURCES = ("_scale_openmp.py",)
FLAGS = ("-fopenmp",)


def prepare(case):
    return case.artifact("_scale_openmp.py").scale
