# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Cython prange loop with 32 partial sums per thread, so that it uses SIMD lanes without fast-math."""

FLAGS = ("-fopenmp",)

from cython cimport floating
from cython.parallel cimport prange
from openmp cimport omp_get_max_threads

cdef enum:
    LANES = 32


# idea: independent sums, which the processor can add up at the same time
cdef floating sum_of_part(const floating *x, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef floating[LANES] lanes
    cdef floating total = 0
    cdef Py_ssize_t i, block, lane, whole = end - (end - begin) % LANES
    for lane in range(LANES):
        lanes[lane] = 0
    for block in range((end - begin) // LANES):
        i = begin + LANES * block
        for lane in range(LANES):
            lanes[lane] += x[i + lane]
    for i in range(whole, end):
        lanes[i - whole] += x[i]
    for lane in range(LANES):
        total += lanes[lane]
    return total
# end of idea


def vector_sum(const floating[::1] x):
    cdef floating total = 0
    cdef Py_ssize_t part, n = x.shape[0], parts = omp_get_max_threads()
    for part in prange(parts, nogil=True, schedule="static"):
        total += sum_of_part(&x[0], n * part // parts, n * (part + 1) // parts)
    return total


def prepare(case):
    return vector_sum[case.ctype]
