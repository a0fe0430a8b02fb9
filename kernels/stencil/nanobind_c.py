"""C loops, called through nanobind, which takes the arrays out of Python objects."""

SOURCES = ("stencil_nanobind.cpp", "stencil.c")
VARIANTS = {"native": ("-ffast-math", "-march=native"), "openmp": ("-fopenmp", "-march=native")}


def prepare(case):
    return getattr(case.artifact("stencil_nanobind.cpp"), case.dtype)
