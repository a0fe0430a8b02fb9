"""Pythran: NumPy expressions in two passes, in double precision."""

SOURCES = ("_standard_deviation.py",)
VARIANTS = {"native": ("-DUSE_XSIMD", "-march=native")}


def prepare(case):
    return case.artifact("_standard_deviation.py").deviation
