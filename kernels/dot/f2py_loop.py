"""Fortran loop, called through f2py."""

ALGORITHM = {"": "in order", "fast": "in order"}
SOURCES = ("dot.f90",)
VARIANTS = {
    "fast": ("-ffast-math",),
    "openmp": ("-fopenmp",),
    "openmp_fast": ("-fopenmp", "-ffast-math", "-funroll-loops", "-fvariable-expansion-in-unroller"),
}


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("f2py refuses empty arrays")
    return getattr(case.artifact("dot.f90"), f"dot_{case.dtype}")
