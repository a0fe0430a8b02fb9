"""Fortran loop, called through f2py."""

SOURCES = ("scale.f90",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("f2py refuses empty arrays")
    return getattr(case.artifact("scale.f90"), f"scale_{case.dtype}")
