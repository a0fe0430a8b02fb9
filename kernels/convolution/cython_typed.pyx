# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython loops over typed memoryviews, gather: each output adds up its inputs."""

from cython cimport floating


def convolution(const floating[::1] x, const floating[::1] weights, floating[::1] out):
    cdef Py_ssize_t i, k, taps = weights.shape[0]
    cdef floating total
    for i in range(out.shape[0]):
        total = 0
        for k in range(taps):
            total += weights[k] * x[i + taps - 1 - k]
        out[i] = total


def prepare(case):
    return convolution[case.ctype]
