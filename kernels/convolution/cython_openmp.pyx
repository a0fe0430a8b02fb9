# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython prange loop, gather: OpenMP threads share blocks of outputs, and SIMD lanes compute each block."""

FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math",)}

from cython cimport floating
from cython.parallel cimport prange


cdef enum: BLOCK = 512


cdef void gather(
    const floating* x, const floating* weights, Py_ssize_t taps, floating* out, Py_ssize_t n
) noexcept nogil:
    cdef Py_ssize_t i, k
    for i in range(n):
        out[i] = 0
    for k in range(taps):
        for i in range(n):
            out[i] += weights[k] * x[i + taps - 1 - k]


def convolution(const floating[::1] x, const floating[::1] weights, floating[::1] out):
    cdef Py_ssize_t n = out.shape[0], taps = weights.shape[0], first
    for first in prange(0, n, BLOCK, nogil=True, schedule="static"):
        gather(&x[first], &weights[0], taps, &out[first], min(BLOCK, n - first))


def prepare(case):
    return convolution[case.ctype]
