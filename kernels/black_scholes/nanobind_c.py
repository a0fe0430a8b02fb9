"""C loop, called through nanobind."""

SOURCES = ("black_scholes_nanobind.cpp", "black_scholes.c")
VARIANTS = {"fast": ("-ffast-math",), "openmp": ("-fopenmp",), "openmp_fast": ("-fopenmp", "-ffast-math")}


def prepare(case):
    return getattr(case.artifact("black_scholes_nanobind.cpp"), case.dtype)
