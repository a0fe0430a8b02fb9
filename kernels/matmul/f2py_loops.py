"""Fortran loops, called through f2py: of the transposed matrices, for Fortran's order of elements."""

SOURCES = ("matmul.f90",)
VARIANTS = {"native": ("-march=native",), "openmp": ("-fopenmp", "-march=native")}


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("f2py refuses arrays of no elements")
    matmul = getattr(case.artifact("matmul.f90"), f"matmul_{case.dtype}")
    return lambda a, b, out: matmul(b.T, a.T, out.T)
