# cython: language_level=3, cdivision=True
"""Cython prange loop with OpenMP threads that hash a counter (SplitMix64), so that they share no state."""

FLAGS = ("-fopenmp",)

from cython.parallel cimport prange
from libc.stdint cimport int64_t, uint64_t


cdef inline uint64_t mix(uint64_t z) noexcept nogil:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu
    return z ^ (z >> 31)


cdef inline uint64_t random_bits(uint64_t start, uint64_t k) noexcept nogil:
    return mix(start + k * 0x9E3779B97F4A7C15u)


cdef inline bint inside_float64(uint64_t start, uint64_t i) noexcept nogil:
    cdef double x = (random_bits(start, 2 * i) >> 11) * 2.0**-53
    cdef double y = (random_bits(start, 2 * i + 1) >> 11) * 2.0**-53
    return x * x + y * y < 1


cdef inline bint inside_float32(uint64_t start, uint64_t i) noexcept nogil:
    cdef uint64_t bits = random_bits(start, i)
    cdef float x = <int> (bits >> 40) * <float> 2.0**-24
    cdef float y = <int> (bits >> 8 & 0xFFFFFF) * <float> 2.0**-24
    return x * x + y * y < 1


def run_float64(int64_t n, uint64_t seed):
    cdef int64_t i, hits = 0
    cdef uint64_t start = mix(seed)
    # idea: each point is a hash of its index, so that threads share the points
    for i in prange(n, nogil=True, schedule="static"):
        hits += inside_float64(start, i)
    # end of idea
    return 4.0 * hits / n if n else 0.0


def run_float32(int64_t n, uint64_t seed):
    cdef int64_t i, hits = 0
    cdef uint64_t start = mix(seed)
    for i in prange(n, nogil=True, schedule="static"):
        hits += inside_float32(start, i)
    return 4.0 * hits / n if n else 0.0


def prepare(case):
    return {"float64": run_float64, "float32": run_float32}[case.dtype]
