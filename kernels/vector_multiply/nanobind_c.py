"""C loop, its arrays taken out of Python's by nanobind."""

SOURCES = ("vector_multiply_nanobind.cpp", "vector_multiply.c")
VARIANTS = {"fast_math": ("-ffast-math",), "native": ("-ffast-math", "-march=native")}


def prepare(case):
    return getattr(case.artifact("vector_multiply_nanobind.cpp"), case.dtype)
