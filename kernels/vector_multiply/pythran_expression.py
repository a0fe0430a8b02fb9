"""NumPy expression, compiled to one loop by Pythran."""

SOURCES = ("_vector_multiply.py",)
VARIANTS = {"simd": ("-DUSE_XSIMD",)}


def prepare(case):
    return case.artifact("_vector_multiply.py").multiply
