"""Pythran-compiled loop with OpenMP threads."""

SOURCES = ("_saxpy_openmp.py",)
FLAGS = ("-fopenmp",)


def prepare(case):
    return case.artifact("_saxpy_openmp.py").saxpy
