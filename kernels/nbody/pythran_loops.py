"""Pythran: pair by pair; with OpenMP, threads share the bodies."""

SOURCES = ("_nbody.py",)
VARIANTS = {"native": ("-ffast-math", "-march=native"), "openmp": ("-fopenmp", "-ffast-math", "-march=native")}


def prepare(case):
    return case.artifact("_nbody.py").nbody
