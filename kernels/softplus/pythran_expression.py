"""Pythran: the NumPy expression, compiled to one loop."""

SOURCES = ("_softplus.py",)
VARIANTS = {"native": ("-DUSE_XSIMD", "-march=native")}


def prepare(case):
    return case.artifact("_softplus.py").softplus
