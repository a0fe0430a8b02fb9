"""C loops, called through nanobind."""

SOURCES = ("nbody_nanobind.cpp", "nbody.c")
VARIANTS = {"fast": ("-ffast-math",), "openmp": ("-fopenmp",), "openmp_fast": ("-fopenmp", "-ffast-math")}


def prepare(case):
    return getattr(case.artifact("nbody_nanobind.cpp"), case.dtype)
