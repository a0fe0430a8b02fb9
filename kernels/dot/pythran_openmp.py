"""Pythran: a loop with OpenMP threads and SIMD lanes."""

SOURCES = ("_dot_openmp.py",)
FLAGS = ("-fopenmp", "-ffast-math", "-march=native", "-funroll-loops", "-fvariable-expansion-in-unroller")


def prepare(case):
    return case.artifact("_dot_openmp.py").dot
