"""Pythran: the NumPy expression, compiled to one loop."""

SOURCES = ("_squared_difference.py",)
VARIANTS = {"native": ("-DUSE_XSIMD", "-march=native")}


def prepare(case):
    return case.artifact("_squared_difference.py").squared_difference
