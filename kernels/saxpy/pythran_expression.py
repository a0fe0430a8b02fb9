"""NumPy expression, compiled to one loop by Pythran."""

SOURCES = ("_saxpy.py",)
VARIANTS = {"simd": ("-DUSE_XSIMD",)}


def prepare(case):
    return case.artifact("_saxpy.py").saxpy
