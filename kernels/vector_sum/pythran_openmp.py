"""Pythran: a loop with OpenMP threads and SIMD lanes."""

SOURCES = ("_vector_sum_openmp.py",)
FLAGS = ("-fopenmp", "-ffast-math", "-march=native", "-funroll-loops", "-fvariable-expansion-in-unroller")


def prepare(case):
    return case.artifact("_vector_sum_openmp.py").vector_sum
