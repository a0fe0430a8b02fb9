"""Pythran-compiled loop with OpenMP threads."""

SOURCES = ("_vector_add_openmp.py",)
FLAGS = ("-fopenmp",)


def prepare(case):
    return case.artifact("_vector_add_openmp.py").add
