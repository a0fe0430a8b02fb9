"""A slice assignment, compiled by Pythran."""

SOURCES = ("_copy.py",)


def prepare(case):
    return case.artifact("_copy.py").copy
