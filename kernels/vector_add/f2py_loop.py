"""Fortran loop, called through f2py."""

SOURCES = ("vector_add.f90",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("f2py refuses empty arrays")
    return getattr(case.artifact("vector_add.f90"), f"vector_add_{case.dtype}")
