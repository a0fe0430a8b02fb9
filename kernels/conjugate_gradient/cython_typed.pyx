# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The whole solver in Cython, as loops over typed memoryviews."""

import numpy as np
from cython cimport floating


def conjugate_gradient(const floating[::1] data, const int[::1] indices, const int[::1] indptr, const floating[::1] b,
                       floating relative_residual, Py_ssize_t most_steps, floating[::1] x):
    cdef Py_ssize_t i, k, rows = b.shape[0], steps = 0
    cdef floating[::1] residual = np.array(b), direction = np.array(b), product = np.empty_like(b)
    cdef double before, curvature, squared = 0  # a float32 sum of a million addends would be too inaccurate
    cdef floating total, length, ratio
    for i in range(rows):
        x[i] = 0
        squared += b[i] * b[i]
    cdef double target = <double>relative_residual * relative_residual * squared
    while squared > target and steps < most_steps:
        # idea: a step: the product with the matrix, then the updates of the vectors
        curvature = 0
        for i in range(rows):
            total = 0
            for k in range(indptr[i], indptr[i + 1]):
                total += data[k] * direction[indices[k]]
            product[i] = total
            curvature += direction[i] * total
        length, before, squared = <floating>(squared / curvature), squared, 0
        for i in range(rows):
            x[i] += length * direction[i]
            residual[i] -= length * product[i]
            squared += residual[i] * residual[i]
        ratio = <floating>(squared / before)
        for i in range(rows):
            direction[i] = residual[i] + ratio * direction[i]
        # end of idea
        steps += 1
    return steps


def prepare(case):
    return conjugate_gradient[case.ctype]
