"""Pythran: numpy.sum, compiled."""

SOURCES = ("_vector_sum.py",)
VARIANTS = {"native": ("-DUSE_XSIMD", "-march=native")}


def prepare(case):
    return case.artifact("_vector_sum.py").vector_sum
