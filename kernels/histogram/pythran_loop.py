"""Pythran-compiled loop."""

SOURCES = ("_histogram.py",)


def prepare(case):
    return case.artifact("_histogram.py").histogram
