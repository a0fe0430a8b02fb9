"""C loop, its arrays taken out of Python's by nanobind."""

SOURCES = ("dot_nanobind.cpp", "dot.c")
VARIANTS = {
    "native": ("-ffast-math", "-march=native"),
    "openmp": ("-fopenmp", "-ffast-math", "-march=native", "-funroll-loops", "-fvariable-expansion-in-unroller"),
}


def prepare(case):
    return getattr(case.artifact("dot_nanobind.cpp"), case.dtype)
