"""Fortran loop, called through f2py."""

SOURCES = ("saxpy.f90",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("f2py refuses empty arrays")
    return getattr(case.artifact("saxpy.f90"), f"saxpy_{case.dtype}")
