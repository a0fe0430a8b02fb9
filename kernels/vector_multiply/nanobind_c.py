"""C loop, called through nanobind."""

SOURCES = ("vector_multiply_nanobind.cpp", "vector_multiply.c")
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    return getattr(case.artifact("vector_multiply_nanobind.cpp"), case.dtype)
