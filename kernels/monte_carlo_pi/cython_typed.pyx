"""Cython loop with C types and xoshiro256+ (Blackman and Vigna 2018), seeded by SplitMix64."""

ALGORITHM = "xoshiro256+"

from libc.stdint cimport int64_t, uint32_t, uint64_t

cdef struct Xoshiro:
    uint64_t a, b, c, d


cdef inline uint64_t splitmix(uint64_t *state) noexcept nogil:
    state[0] += 0x9E3779B97F4A7C15u
    cdef uint64_t z = state[0]
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu
    return z ^ (z >> 31)


cdef inline uint64_t draw(Xoshiro *s) noexcept nogil:
    cdef uint64_t result = s.a + s.d, shifted = s.b << 17
    s.c ^= s.a
    s.d ^= s.b
    s.b ^= s.c
    s.a ^= s.d
    s.c ^= shifted
    s.d = s.d << 45 | s.d >> 19
    return result


cdef inline Xoshiro seeded(uint64_t seed) noexcept nogil:
    return Xoshiro(splitmix(&seed), splitmix(&seed), splitmix(&seed), splitmix(&seed))


def run_float64(int64_t n, uint64_t seed):
    cdef Xoshiro state = seeded(seed)
    cdef int64_t i, hits = 0
    cdef double x, y
    # idea: one point after the other
    for i in range(n):
        x = (draw(&state) >> 11) * 2.0**-53
        y = (draw(&state) >> 11) * 2.0**-53
        hits += x * x + y * y < 1
    # end of idea
    return 4.0 * hits / n if n else 0.0


def run_float32(int64_t n, uint64_t seed):
    cdef Xoshiro state = seeded(seed)
    cdef int64_t i, hits = 0
    cdef uint64_t bits
    cdef float x, y
    for i in range(n):
        bits = draw(&state)
        x = <float>(bits >> 40) * <float>2.0**-24
        y = <float>(bits >> 16 & 0xFFFFFF) * <float>2.0**-24
        hits += x * x + y * y < 1
    return 4.0 * hits / n if n else 0.0


def prepare(case):
    return {"float64": run_float64, "float32": run_float32}[case.dtype]
