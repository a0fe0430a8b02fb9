"""NumPy expression, compiled to one loop by Pythran."""

SOURCES = ("_softplus.py",)
VARIANTS = {"simd": ("-DUSE_XSIMD",)}


def prepare(case):
    return case.artifact("_softplus.py").softplus
