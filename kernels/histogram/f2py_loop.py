"""Fortran loop, called through f2py."""

SOURCES = ("histogram.f90",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("f2py refuses empty arrays")
    return getattr(case.artifact("histogram.f90"), f"histogram_{case.dtype}")
