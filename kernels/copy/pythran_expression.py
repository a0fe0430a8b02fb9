"""Pythran: a slice assignment, compiled."""

SOURCES = ("_copy.py",)


def prepare(case):
    return case.artifact("_copy.py").copy
