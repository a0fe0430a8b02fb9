"""Pythran-compiled loops, pair by pair; with OpenMP, threads share the bodies."""

SOURCES = ("_nbody.py",)
VARIANTS = {"fast": ("-ffast-math",), "openmp": ("-fopenmp",), "openmp_fast": ("-fopenmp", "-ffast-math")}


def prepare(case):
    return case.artifact("_nbody.py").nbody
