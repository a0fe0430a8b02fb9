"""Pythran: the NumPy expression, compiled to one loop."""

SOURCES = ("_vector_add.py",)
VARIANTS = {"native": ("-DUSE_XSIMD", "-march=native")}


def prepare(case):
    return case.artifact("_vector_add.py").add
