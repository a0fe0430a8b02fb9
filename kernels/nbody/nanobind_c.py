"""C loops, their arrays taken out of Python's by nanobind."""

SOURCES = ("nbody_nanobind.cpp", "nbody.c")
VARIANTS = {"native": ("-ffast-math", "-march=native"), "openmp": ("-fopenmp", "-ffast-math", "-march=native")}


def prepare(case):
    return getattr(case.artifact("nbody_nanobind.cpp"), case.dtype)
