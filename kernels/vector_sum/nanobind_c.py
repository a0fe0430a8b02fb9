"""C loop, called through nanobind."""

ALGORITHM = {"": "in order", "fast": "in order"}
SOURCES = ("vector_sum_nanobind.cpp", "vector_sum.c")
VARIANTS = {
    "fast": ("-ffast-math",),
    "openmp": ("-fopenmp",),
    "openmp_fast": ("-fopenmp", "-ffast-math", "-funroll-loops", "-fvariable-expansion-in-unroller"),
}


def prepare(case):
    return getattr(case.artifact("vector_sum_nanobind.cpp"), case.dtype)
