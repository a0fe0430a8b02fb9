# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loop over typed memoryviews."""

from cython cimport floating
from libc.math cimport cos, cosf, sin, sinf


cdef floating trig_of(floating x) noexcept nogil:
    if floating is double:  # resolved at compile time, for each type
        return sin(x) ** 2 + cos(x) ** 2
    return sinf(x) ** 2 + cosf(x) ** 2


def trig(const floating[::1] x, floating[::1] out):
    cdef Py_ssize_t i
    for i in range(out.shape[0]):
        out[i] = trig_of(x[i])


def prepare(case):
    return trig[case.ctype]
