"""C loop, called through nanobind."""

ALGORITHM = {"": "in order", "fast": "in order"}
SOURCES = ("dot_nanobind.cpp", "dot.c")
VARIANTS = {
    "fast": ("-ffast-math",),
    "openmp": ("-fopenmp",),
    "openmp_fast": ("-fopenmp", "-ffast-math", "-funroll-loops", "-fvariable-expansion-in-unroller"),
}


def prepare(case):
    return getattr(case.artifact("dot_nanobind.cpp"), case.dtype)
