# cython: language_level=3, boundscheck=False, wraparound=False
"""Branch-free Cython loop over typed memoryviews."""

from cython cimport floating


def compact(const floating[::1] x, floating[::1] out):
    cdef Py_ssize_t i, count = 0
    for i in range(x.shape[0]):
        out[count] = x[i]
        count += x[i] > <floating> 0.5
    for i in range(count, x.shape[0]):
        out[i] = 0
    return count


def prepare(case):
    return compact[case.ctype]
