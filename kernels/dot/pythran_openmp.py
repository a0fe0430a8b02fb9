"""Pythran: a loop with OpenMP threads and SIMD lanes."""

SOURCES = ("_dot_openmp.py",)
FLAGS = ("-fopenmp", "-ffast-math", "-march=native")


def prepare(case):
    return case.artifact("_dot_openmp.py").dot
