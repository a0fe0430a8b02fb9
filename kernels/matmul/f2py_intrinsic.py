"""Fortran's matmul, called through f2py: of the transposed matrices, for Fortran's order of elements."""

SOURCES = ("matmul_intrinsic.f90",)
VARIANTS = {"native": ("-march=native",)}


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("f2py refuses arrays of no elements")
    multiply = getattr(case.artifact("matmul_intrinsic.f90"), f"multiply_{case.dtype}")
    return lambda a, b, out: multiply(b.T, a.T, out.T)
