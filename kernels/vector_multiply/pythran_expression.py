"""Pythran: the NumPy expression, compiled to one loop."""

SOURCES = ("_vector_multiply.py",)
VARIANTS = {"simd": ("-DUSE_XSIMD",)}


def prepare(case):
    return case.artifact("_vector_multiply.py").multiply
