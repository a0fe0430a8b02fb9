"""C loops, their arrays taken out of Python's by nanobind."""

SOURCES = ("softmax_nanobind.cpp", "softmax.c")
VARIANTS = {"native": ("-ffast-math", "-march=native"), "openmp": ("-fopenmp", "-ffast-math", "-march=native")}


def prepare(case):
    return getattr(case.artifact("softmax_nanobind.cpp"), case.dtype)
