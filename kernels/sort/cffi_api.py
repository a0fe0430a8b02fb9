"""Radix sort in C, called through CFFI's out-of-line API mode."""

import numpy as np

ALGORITHM = "radix sort"
SOURCES = ("sort.c",)


def prepare(case):
    extension, array = case.artifact("sort.c"), f"{case.ctype}[]"
    sort, from_buffer = getattr(extension.lib, f"sort_{case.dtype}"), extension.ffi.from_buffer
    scratch = from_buffer(array, np.empty(case.size, case.dtype))
    return lambda x, out: sort(from_buffer(array, x), from_buffer(array, out), scratch, x.size)
