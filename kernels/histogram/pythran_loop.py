"""Pythran: a loop."""

SOURCES = ("_histogram.py",)
VARIANTS = {"native": ("-march=native",)}


def prepare(case):
    return case.artifact("_histogram.py").histogram
