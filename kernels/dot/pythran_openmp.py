"""Pythran-compiled loop with OpenMP threads; with fast-math, also in SIMD lanes."""

ALGORITHM = "in order"
SOURCES = ("_dot_openmp.py",)
FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math", "-funroll-loops", "-fvariable-expansion-in-unroller")}


def prepare(case):
    return case.artifact("_dot_openmp.py").dot
