# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Cython prange loop over rows. 32 partial sums per row allow SIMD lanes without fast-math."""

FLAGS = ("-fopenmp",)

from cython cimport floating
from cython.parallel cimport prange
from libc.math cimport sqrt

cdef enum:
    LANES = 32


# idea: independent sums, so that no addition waits for another
cdef floating sum_of_row(const floating *x, Py_ssize_t columns) noexcept nogil:
    cdef floating[LANES] lanes
    cdef floating total = 0
    cdef Py_ssize_t j, block, lane, whole = columns - columns % LANES
    for lane in range(LANES):
        lanes[lane] = 0
    for block in range(columns // LANES):
        j = LANES * block
        for lane in range(LANES):
            lanes[lane] += x[j + lane] * x[j + lane]
    for j in range(whole, columns):
        lanes[j - whole] += x[j] * x[j]
    for lane in range(LANES):
        total += lanes[lane]
    return total
# end of idea


def l2norm(const floating[:, ::1] x, floating[::1] out):
    cdef Py_ssize_t i
    for i in prange(x.shape[0], nogil=True, schedule="static"):
        out[i] = sqrt(sum_of_row(&x[i, 0], x.shape[1]))


def prepare(case):
    return l2norm[case.ctype]
