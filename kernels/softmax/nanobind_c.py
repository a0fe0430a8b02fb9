"""C loops, called through nanobind."""

SOURCES = ("softmax_nanobind.cpp", "softmax.c")
VARIANTS = {"fast": ("-ffast-math",), "openmp": ("-fopenmp",), "openmp_fast": ("-fopenmp", "-ffast-math")}


def prepare(case):
    return getattr(case.artifact("softmax_nanobind.cpp"), case.dtype)
