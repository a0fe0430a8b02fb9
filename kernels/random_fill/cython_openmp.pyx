# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Cython prange loop with OpenMP threads that hash a counter (SplitMix64)."""

FLAGS = ("-fopenmp",)

from itertools import count

from cython cimport floating
from cython.parallel cimport prange
from libc.stdint cimport int64_t, uint64_t


# idea: the k-th number is a hash of k
cdef inline uint64_t random_bits(uint64_t k) noexcept nogil:
    cdef uint64_t z = (k + 1) * 0x9E3779B97F4A7C15u
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu
    return z ^ (z >> 31)
# end of idea


def random_fill(uint64_t drawn, floating[::1] out):
    cdef Py_ssize_t i
    for i in prange(out.shape[0], nogil=True, schedule="static"):
        if floating is double:
            out[i] = <int64_t>(random_bits(drawn + i) >> 11) * 2.0**-53
        else:
            out[i] = <int64_t>(random_bits(drawn + i) >> 40) * <float>2.0**-24


def prepare(case):
    drawn = count(0, case.size)
    fill = random_fill[case.ctype]

    def run(out):
        fill(next(drawn), out)

    return run
