"""Fortran loop, called through f2py."""

SOURCES = ("vector_sum.f90",)
VARIANTS = {
    "native": ("-ffast-math", "-march=native"),
    "openmp": ("-fopenmp", "-ffast-math", "-march=native", "-funroll-loops", "-fvariable-expansion-in-unroller"),
}


def prepare(case):
    return getattr(case.artifact("vector_sum.f90"), f"vector_sum_{case.dtype}")
