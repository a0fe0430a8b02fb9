"""Pythran: the NumPy expression of each row, compiled; with OpenMP, threads share the rows."""

SOURCES = ("_softmax.py",)
VARIANTS = {"native": ("-DUSE_XSIMD", "-march=native"), "openmp": ("-fopenmp", "-DUSE_XSIMD", "-march=native")}


def prepare(case):
    return case.artifact("_softmax.py").softmax
