"""C loop, called through nanobind, which takes the arrays out of Python objects."""

SOURCES = ("vector_multiply_nanobind.cpp", "vector_multiply.c")
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    return getattr(case.artifact("vector_multiply_nanobind.cpp"), case.dtype)
