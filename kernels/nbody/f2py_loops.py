"""Fortran loops, called through f2py, on the transposed vectors for Fortran's order of elements."""

SOURCES = ("nbody.f90",)
VARIANTS = {"fast": ("-ffast-math",), "openmp": ("-fopenmp",), "openmp_fast": ("-fopenmp", "-ffast-math")}


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("f2py refuses empty arrays")
    nbody = getattr(case.artifact("nbody.f90"), f"nbody_{case.dtype}")
    return lambda position, mass, softening, acceleration: nbody(position.T, mass, softening, acceleration.T)
