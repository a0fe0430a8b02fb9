"""Radix sort in C, its arrays taken out of Python's by nanobind."""

import numpy as np

SOURCES = ("sort_nanobind.cpp", "sort.c")
VARIANTS = {"native": ("-march=native",), "openmp": ("-fopenmp", "-march=native")}


def prepare(case):
    sort, scratch = getattr(case.artifact("sort_nanobind.cpp"), case.dtype), np.empty(case.size, case.dtype)
    return lambda x, out: sort(x, out, scratch)
