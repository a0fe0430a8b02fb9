"""Pythran: numpy.sum(x * y), compiled to one loop without an array of products."""

SOURCES = ("_dot.py",)
VARIANTS = {"native": ("-DUSE_XSIMD", "-march=native")}


def prepare(case):
    return case.artifact("_dot.py").dot
