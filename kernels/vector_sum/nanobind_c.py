"""C loop, its arrays taken out of Python's by nanobind."""

SOURCES = ("vector_sum_nanobind.cpp", "vector_sum.c")
VARIANTS = {
    "native": ("-ffast-math", "-march=native"),
    "openmp": ("-fopenmp", "-ffast-math", "-march=native", "-funroll-loops", "-fvariable-expansion-in-unroller"),
}


def prepare(case):
    return getattr(case.artifact("vector_sum_nanobind.cpp"), case.dtype)
