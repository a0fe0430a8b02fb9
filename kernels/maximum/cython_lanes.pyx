# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Cython prange loop over parts of the vector, with 32 partial maxima per part, in SIMD lanes."""

FLAGS = ("-fopenmp",)

from cython cimport floating
from cython.parallel cimport prange
from libc.float cimport DBL_MAX, FLT_MAX

cdef enum:
    LANES = 32
    PARTS = 64  # number of parts; more than most machines have threads, to balance the load


# idea: independent maxima, so that no comparison waits for another
cdef floating maximum_of_part(const floating *x, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef floating[LANES] lanes
    cdef floating largest = -DBL_MAX if floating is double else -FLT_MAX
    cdef Py_ssize_t i, block, lane, whole = end - (end - begin) % LANES
    for lane in range(LANES):
        lanes[lane] = largest
    for block in range((end - begin) // LANES):
        i = begin + LANES * block
        for lane in range(LANES):
            lanes[lane] = x[i + lane] if x[i + lane] > lanes[lane] else lanes[lane]
    for i in range(whole, end):
        lanes[0] = max(lanes[0], x[i])
    for lane in range(LANES):
        largest = max(largest, lanes[lane])
    return largest
# end of idea


def maximum(const floating[::1] x):
    cdef floating[PARTS] largest
    cdef Py_ssize_t part, n = x.shape[0]
    for part in prange(PARTS, nogil=True, schedule="static"):
        largest[part] = maximum_of_part(&x[0], n * part // PARTS, n * (part + 1) // PARTS)
    return maximum_of_part(<const floating *>largest, 0, PARTS)


def prepare(case):
    return maximum[case.ctype]
