"""Pythran: numpy.sort, compiled to a pattern-defeating quicksort of a copy."""

SOURCES = ("_sort.py",)


def prepare(case):
    return case.artifact("_sort.py").sort
