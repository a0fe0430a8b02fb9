"""Numba prange with fastmath: threads and SIMD lanes, each output gathering its inputs."""

import numba

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True, fastmath=True)
def run(x, weights, out):
    taps = weights.size
    for i in numba.prange(out.size):
        total = x.dtype.type(0)
        for k in range(taps):
            total += weights[k] * x[i + taps - 1 - k]
        out[i] = total
