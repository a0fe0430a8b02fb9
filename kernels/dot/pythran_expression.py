"""numpy.sum(x * y), compiled by Pythran to one loop without an array of products."""

ALGORITHM = {"": "in order"}
SOURCES = ("_dot.py",)
VARIANTS = {"simd": ("-DUSE_XSIMD",)}


def prepare(case):
    return case.artifact("_dot.py").dot
