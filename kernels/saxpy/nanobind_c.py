"""C loop, called through nanobind, which takes the arrays out of Python objects."""

SOURCES = ("saxpy_nanobind.cpp", "saxpy.c")
VARIANTS = {"native": ("-ffast-math", "-march=native"), "openmp": ("-fopenmp", "-march=native")}


def prepare(case):
    return getattr(case.artifact("saxpy_nanobind.cpp"), case.dtype)
