# distutils: language = c++
# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython in C++: selected elements are appended to a growing std::vector, then copied."""

from cython cimport floating
from libc.string cimport memcpy, memset
from libcpp.vector cimport vector


def compact(const floating[::1] x, floating[::1] out):
    cdef vector[floating] selected
    cdef Py_ssize_t i, n = x.shape[0], count
    for i in range(n):
        if x[i] > <floating> 0.5:
            selected.push_back(x[i])
    count = selected.size()
    if n:
        memcpy(&out[0], selected.data(), count * sizeof(floating))
        memset(&out[0] + count, 0, (n - count) * sizeof(floating))
    return count


def prepare(case):
    return compact[case.ctype]
