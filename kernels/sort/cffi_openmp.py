"""Radix sort in C with OpenMP threads, called through CFFI's API mode."""

import numpy as np

ALGORITHM = "radix sort"
SOURCES = ("sort.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, array = case.artifact("sort.c"), f"{case.ctype}[]"
    sort, from_buffer = getattr(extension.lib, f"sort_{case.dtype}"), extension.ffi.from_buffer
    scratch = from_buffer(array, np.empty(case.size, case.dtype))
    return lambda x, out: sort(from_buffer(array, x), from_buffer(array, out), scratch, x.size)
