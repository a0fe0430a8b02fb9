"""Pythran: a loop."""

SOURCES = ("_cumsum.py",)
VARIANTS = {"native": ("-march=native",)}


def prepare(case):
    return case.artifact("_cumsum.py").cumsum
