"""Numba compiles the whole solver, with a threaded prange loop per pass; fastmath adds SIMD lanes."""

import numba
import numpy as np

PARAMETERS = ("threads",)
VARIANTS = {"fast": ("fastmath=True",)}


def conjugate_gradient(data, indices, indptr, b, relative_residual, most_steps, x):
    x[:] = 0
    residual, direction, product = b.copy(), b.copy(), np.empty_like(b)
    squared = 0.0  # double precision: a float32 sum of a million addends would be too inaccurate
    for i in numba.prange(b.size):
        squared += b[i] * b[i]
    target, steps = relative_residual * relative_residual * squared, 0
    # idea: a step
    while squared > target and steps < most_steps:
        curvature = 0.0
        for i in numba.prange(b.size):
            total = b.dtype.type(0)
            for k in range(indptr[i], indptr[i + 1]):
                total += data[k] * direction[indices[k]]
            product[i] = total
            curvature += direction[i] * total
        length, before, squared = b.dtype.type(squared / curvature), squared, 0.0
        for i in numba.prange(b.size):
            x[i] += length * direction[i]
            residual[i] -= length * product[i]
            squared += residual[i] * residual[i]
        ratio = b.dtype.type(squared / before)
        for i in numba.prange(b.size):
            direction[i] = residual[i] + ratio * direction[i]
        steps += 1
    # end of idea
    return steps


def prepare(case):
    return numba.njit(
        conjugate_gradient, cache=True, parallel=True, fastmath=case.variant == "fast", error_model="numpy"
    )
