"""Pythran: loops in two passes, in double precision."""

SOURCES = ("_standard_deviation.py",)
VARIANTS = {"native": ("-ffast-math", "-march=native")}


def prepare(case):
    return case.artifact("_standard_deviation.py").deviation
