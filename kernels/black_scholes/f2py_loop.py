"""Fortran loop, called through f2py."""

SOURCES = ("black_scholes.f90",)
VARIANTS = {"fast": ("-ffast-math",), "openmp": ("-fopenmp",), "openmp_fast": ("-fopenmp", "-ffast-math")}


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("f2py refuses empty arrays")
    return getattr(case.artifact("black_scholes.f90"), f"black_scholes_{case.dtype}")
