"""Pythran: the NumPy expression, compiled to one loop."""

SOURCES = ("_saxpy.py",)
VARIANTS = {"native": ("-DUSE_XSIMD", "-march=native")}


def prepare(case):
    return case.artifact("_saxpy.py").saxpy
