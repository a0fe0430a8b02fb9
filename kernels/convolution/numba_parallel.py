"""Numba prange loop, gather: threads share blocks of outputs, and SIMD lanes compute each block."""

import math

import numba

PARAMETERS = ("threads",)
VARIANTS = {"fast": ("fastmath=True",)}
BLOCK = 512


def convolution(x, weights, out):
    taps = weights.size
    for block in numba.prange(math.ceil(out.size / BLOCK)):
        first = BLOCK * block
        sums = out[first : first + BLOCK]
        sums[:] = 0
        for k in range(taps):
            weight, inputs = weights[k], x[first + taps - 1 - k :]
            for i in range(sums.size):
                sums[i] += weight * inputs[i]


def prepare(case):
    return numba.njit(convolution, cache=True, parallel=True, fastmath=case.variant == "fast")
