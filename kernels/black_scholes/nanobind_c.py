"""C loop, its arrays taken out of Python's by nanobind."""

SOURCES = ("black_scholes_nanobind.cpp", "black_scholes.c")
VARIANTS = {"native": ("-ffast-math", "-march=native"), "openmp": ("-fopenmp", "-ffast-math", "-march=native")}


def prepare(case):
    return getattr(case.artifact("black_scholes_nanobind.cpp"), case.dtype)
