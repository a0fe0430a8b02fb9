# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The whole solver in Cython, with a prange loop per pass on OpenMP threads; with fast-math, also in SIMD lanes."""

FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math",)}

import numpy as np
from cython cimport floating
from cython.parallel cimport prange


cdef floating row_times_vector(const floating[::1] data, const int[::1] indices, int begin, int end,
                               const floating[::1] x) noexcept nogil:
    cdef floating total = 0
    cdef Py_ssize_t k
    for k in range(begin, end):
        total += data[k] * x[indices[k]]
    return total


def conjugate_gradient(const floating[::1] data, const int[::1] indices, const int[::1] indptr, const floating[::1] b,
                       floating relative_residual, Py_ssize_t most_steps, floating[::1] x):
    cdef Py_ssize_t i, rows = b.shape[0], steps = 0
    cdef floating[::1] residual = np.array(b), direction = np.array(b), product = np.empty_like(b)
    cdef double before, curvature, squared = 0
    cdef floating length, ratio
    for i in prange(rows, nogil=True, schedule="static"):
        x[i] = 0
        squared += b[i] * b[i]
    cdef double target = <double>relative_residual * relative_residual * squared
    # idea: a step
    while squared > target and steps < most_steps:
        curvature = 0
        for i in prange(rows, nogil=True, schedule="static"):
            product[i] = row_times_vector(data, indices, indptr[i], indptr[i + 1], direction)
            curvature += direction[i] * product[i]
        length, before, squared = <floating>(squared / curvature), squared, 0
        for i in prange(rows, nogil=True, schedule="static"):
            x[i] += length * direction[i]
            residual[i] -= length * product[i]
            squared += residual[i] * residual[i]
        ratio = <floating>(squared / before)
        for i in prange(rows, nogil=True, schedule="static"):
            direction[i] = residual[i] + ratio * direction[i]
        steps += 1
    # end of idea
    return steps


def prepare(case):
    return conjugate_gradient[case.ctype]
