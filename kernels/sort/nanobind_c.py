"""Radix sort in C, called through nanobind."""

import numpy as np

ALGORITHM = "radix sort"
SOURCES = ("sort_nanobind.cpp", "sort.c")
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    sort, scratch = getattr(case.artifact("sort_nanobind.cpp"), case.dtype), np.empty(case.size, case.dtype)
    return lambda x, out: sort(x, out, scratch)
