"""Fortran loop, called through f2py."""

SOURCES = ("vector_multiply.f90",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("f2py refuses empty arrays")
    return getattr(case.artifact("vector_multiply.f90"), f"vector_multiply_{case.dtype}")
