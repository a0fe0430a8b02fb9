"""NumPy expression of each row, compiled by Pythran; with OpenMP, threads share the rows."""

SOURCES = ("_softmax.py",)
VARIANTS = {"simd": ("-DUSE_XSIMD",), "openmp": ("-fopenmp", "-DUSE_XSIMD")}


def prepare(case):
    return case.artifact("_softmax.py").softmax
