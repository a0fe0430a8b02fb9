"""Numba prange loop on several threads that hash a counter (SplitMix64), so that they share no state."""

import numba
import numpy as np

PARAMETERS = ("threads",)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@numba.njit(inline="always")
def mix(z):
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@numba.njit(cache=True, parallel=True)
def run_float64(n, seed):
    start, hits = mix(seed), 0
    # idea: a point is a hash of its index, so that threads share the points
    for i in numba.prange(n):
        k = np.uint64(2 * i)
        x = np.float64(mix(start + k * GOLDEN) >> np.uint64(11)) * 2.0**-53
        y = np.float64(mix(start + (k + np.uint64(1)) * GOLDEN) >> np.uint64(11)) * 2.0**-53
        hits += x * x + y * y < 1
    # end of idea
    return 4 * hits / n if n else 0.0


@numba.njit(cache=True, parallel=True)
def run_float32(n, seed):
    start, hits, scale = mix(seed), 0, np.float32(2.0**-24)
    for i in numba.prange(n):
        bits = mix(start + np.uint64(i) * GOLDEN)
        x = np.float32(np.int32(bits >> np.uint64(40))) * scale
        y = np.float32(np.int32(np.uint32(bits) >> np.uint32(8))) * scale
        hits += x * x + y * y < np.float32(1)
    return 4 * hits / n if n else 0.0


def prepare(case):
    return {"float64": run_float64, "float32": run_float32}[case.dtype]
