# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loop over a typed memoryview with xoshiro256+ (Blackman and Vigna 2018)."""

ALGORITHM = "xoshiro256+"

from cython cimport floating
from libc.stdint cimport uint64_t


cdef class Xoshiro:
    cdef uint64_t a, b, c, d

    def __init__(self):
        self.a, self.b, self.c, self.d = 0x243F6A8885A308D3u, 0x13198A2E03707344u, 0xA4093822299F31D0u, 0x082EFA98EC4E6C89u

    # idea: the next number
    cdef inline uint64_t draw(self) noexcept nogil:
        cdef uint64_t result = self.a + self.d, shifted = self.b << 17
        self.c ^= self.a
        self.d ^= self.b
        self.b ^= self.c
        self.a ^= self.d
        self.c ^= shifted
        self.d = self.d << 45 | self.d >> 19
        return result
    # end of idea


def random_fill(Xoshiro generator, floating[::1] out):
    cdef Py_ssize_t i
    for i in range(out.shape[0]):
        if floating is double:
            out[i] = (generator.draw() >> 11) * 2.0**-53
        else:
            out[i] = (generator.draw() >> 40) * <float>2.0**-24


def prepare(case):
    generator = Xoshiro()
    fill = random_fill[case.ctype]

    def run(out):
        fill(generator, out)

    return run
