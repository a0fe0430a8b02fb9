# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Cython prange loop with 32 partial sums per thread, so that SIMD lanes are used without fast-math."""

FLAGS = ("-fopenmp",)

from cython cimport floating
from cython.parallel cimport prange
from openmp cimport omp_get_max_threads

cdef enum:
    LANES = 32


# idea: independent sums, so that no addition waits for another
cdef floating dot_of_part(const floating *x, const floating *y, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef floating[LANES] lanes
    cdef floating product = 0
    cdef Py_ssize_t i, block, lane, whole = end - (end - begin) % LANES
    for lane in range(LANES):
        lanes[lane] = 0
    for block in range((end - begin) // LANES):
        i = begin + LANES * block
        for lane in range(LANES):
            lanes[lane] += x[i + lane] * y[i + lane]
    for i in range(whole, end):
        lanes[i - whole] += x[i] * y[i]
    for lane in range(LANES):
        product += lanes[lane]
    return product
# end of idea


def dot(const floating[::1] x, const floating[::1] y):
    cdef floating product = 0
    cdef Py_ssize_t part, n = x.shape[0], parts = omp_get_max_threads()
    for part in prange(parts, nogil=True, schedule="static"):
        product += dot_of_part(&x[0], &y[0], n * part // parts, n * (part + 1) // parts)
    return product


def prepare(case):
    return dot[case.ctype]
