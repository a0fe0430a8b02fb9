# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Cython prange loop over parts of the vector with private histograms, which are added up."""

FLAGS = ("-fopenmp",)

from cython cimport floating
from cython.parallel cimport prange
from libc.stdint cimport int32_t
cimport openmp
import numpy as np


cdef void count(const floating[::1] x, Py_ssize_t begin, Py_ssize_t end, int32_t[::1] counts) noexcept nogil:
    cdef floating bin, bins = counts.shape[0]
    cdef Py_ssize_t i
    for i in range(begin, end):
        bin = x[i] * bins
        if 0 <= bin < bins:
            counts[<int32_t> bin] += 1


def histogram(const floating[::1] x, int32_t[::1] counts):
    cdef Py_ssize_t part, n = x.shape[0], parts = openmp.omp_get_max_threads()
    cdef int32_t[:, ::1] of_part = np.zeros((parts, counts.shape[0]), np.int32)
    for part in prange(parts, nogil=True, schedule="static"):
        count(x, n * part // parts, n * (part + 1) // parts, of_part[part])
    np.sum(of_part, axis=0, out=np.asarray(counts))


def prepare(case):
    return histogram[case.ctype]
