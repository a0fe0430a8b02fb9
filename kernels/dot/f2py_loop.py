"""Fortran loop, called through f2py."""

SOURCES = ("dot.f90",)
VARIANTS = {
    "native": ("-ffast-math", "-march=native"),
    "openmp": ("-fopenmp", "-ffast-math", "-march=native", "-funroll-loops", "-fvariable-expansion-in-unroller"),
}


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("f2py refuses arrays of no elements")
    return getattr(case.artifact("dot.f90"), f"dot_{case.dtype}")
