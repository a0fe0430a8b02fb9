"""numpy.sort, compiled by Pythran to a pattern-defeating quicksort of a copy."""

SOURCES = ("_sort.py",)


def prepare(case):
    return case.artifact("_sort.py").sort
