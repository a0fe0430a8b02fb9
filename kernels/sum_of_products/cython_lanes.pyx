# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Cython prange loop over rows, with 32 partial sums per row, so that it uses SIMD lanes without fast-math."""

FLAGS = ("-fopenmp",)

from cython cimport floating
from cython.parallel cimport prange

cdef enum:
    LANES = 32


# idea: independent sums, so that no addition waits for another
cdef floating sum_of_row(const floating *x, const floating *y, Py_ssize_t columns) noexcept nogil:
    cdef floating[LANES] lanes
    cdef floating total = 0
    cdef Py_ssize_t j, block, lane, whole = columns - columns % LANES
    for lane in range(LANES):
        lanes[lane] = 0
    for block in range(columns // LANES):
        j = LANES * block
        for lane in range(LANES):
            lanes[lane] += x[j + lane] * y[j + lane]
    for j in range(whole, columns):
        lanes[j - whole] += x[j] * y[j]
    for lane in range(LANES):
        total += lanes[lane]
    return total
# end of idea


def sum_of_products(const floating[:, ::1] x, const floating[:, ::1] y, floating[::1] out):
    cdef Py_ssize_t i
    for i in prange(x.shape[0], nogil=True, schedule="static"):
        out[i] = sum_of_row(&x[i, 0], &y[i, 0], x.shape[1])


def prepare(case):
    return sum_of_products[case.ctype]
