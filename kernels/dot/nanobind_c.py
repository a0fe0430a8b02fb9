"""C loop, called through nanobind, which takes the arrays out of Python objects."""

SOURCES = ("dot_nanobind.cpp", "dot.c")
VARIANTS = {
    "native": ("-ffast-math", "-march=native"),
    "openmp": ("-fopenmp", "-ffast-math", "-march=native", "-funroll-loops", "-fvariable-expansion-in-unroller"),
}


def prepare(case):
    return getattr(case.artifact("dot_nanobind.cpp"), case.dtype)
