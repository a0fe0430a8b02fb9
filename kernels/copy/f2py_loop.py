"""Fortran loop, called through f2py."""

SOURCES = ("copy.f90",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("f2py refuses empty arrays")
    return getattr(case.artifact("copy.f90"), f"copy_{case.dtype}")
