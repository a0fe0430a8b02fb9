"""Fortran loop, called through f2py."""

ALGORITHM = {"": "in order", "fast": "in order"}
SOURCES = ("vector_sum.f90",)
VARIANTS = {
    "fast": ("-ffast-math",),
    "openmp": ("-fopenmp",),
    "openmp_fast": ("-fopenmp", "-ffast-math", "-funroll-loops", "-fvariable-expansion-in-unroller"),
}


def prepare(case):
    return getattr(case.artifact("vector_sum.f90"), f"vector_sum_{case.dtype}")
