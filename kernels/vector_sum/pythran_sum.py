"""numpy.sum, compiled by Pythran."""

ALGORITHM = {"": "in order"}
SOURCES = ("_vector_sum.py",)
VARIANTS = {"simd": ("-DUSE_XSIMD",)}


def prepare(case):
    return case.artifact("_vector_sum.py").vector_sum
