# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Cython prange loops over parts of the vector: the first loop adds up the parts, the second scans them."""

FLAGS = ("-fopenmp",)

from cython cimport floating
from cython.parallel cimport prange
cimport openmp


cdef floating add_up(const floating[::1] x, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef floating total = 0
    cdef Py_ssize_t i
    for i in range(begin, end):
        total += x[i]
    return total


cdef void scan(
    const floating[::1] x, floating[::1] out, floating total, Py_ssize_t begin, Py_ssize_t end
) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(begin, end):
        total += x[i]
        out[i] = total


def cumsum(const floating[::1] x, floating[::1] out):
    cdef Py_ssize_t n = x.shape[0], part, parts = min(openmp.omp_get_max_threads(), 1024)
    cdef floating starts[1025]
    starts[0] = 0
    # idea: each part starts from the sum of the parts before it
    for part in prange(parts, nogil=True, schedule="static"):
        starts[part + 1] = add_up(x, n * part // parts, n * (part + 1) // parts)
    for part in range(parts):
        starts[part + 1] += starts[part]
    for part in prange(parts, nogil=True, schedule="static"):
        scan(x, out, starts[part], n * part // parts, n * (part + 1) // parts)
    # end of idea


def prepare(case):
    return cumsum[case.ctype]
