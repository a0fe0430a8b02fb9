"""Pythran: the NumPy expression, compiled to one loop."""

SOURCES = ("_scale.py",)
VARIANTS = {"native": ("-DUSE_XSIMD", "-march=native")}


def prepare(case):
    return case.artifact("_scale.py").scale
