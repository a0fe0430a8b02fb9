"""Pythran-compiled loop with OpenMP threads."""

SOURCES = ("_black_scholes_openmp.py",)
FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    return case.artifact("_black_scholes_openmp.py").black_scholes
