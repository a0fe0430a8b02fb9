# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython prange: OpenMP threads, each output gathering its inputs."""

FLAGS = ("-fopenmp", "-ffast-math", "-march=native")

from cython cimport floating
from cython.parallel cimport prange


cdef floating gather(const floating[::1] x, const floating[::1] weights, Py_ssize_t last) noexcept nogil:
    cdef floating total = 0
    cdef Py_ssize_t k
    for k in range(weights.shape[0]):
        total += weights[k] * x[last - k]
    return total


def convolution(const floating[::1] x, const floating[::1] weights, floating[::1] out):
    cdef Py_ssize_t i
    for i in prange(out.shape[0], nogil=True, schedule="static"):
        out[i] = gather(x, weights, i + weights.shape[0] - 1)


def prepare(case):
    return convolution[case.ctype]
