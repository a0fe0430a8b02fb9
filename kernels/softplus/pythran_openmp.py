"""Pythran-compiled loop with OpenMP threads."""

SOURCES = ("_softplus_openmp.py",)
FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    return case.artifact("_softplus_openmp.py").softplus
