"""cupy.random.Generator with L'Ecuyer's MRG32k3a; a new array each time."""

import cupy as cp


def prepare(case):
    rng, size, dtype = cp.random.Generator(cp.random.MRG32k3a(20230308)), case.size, cp.dtype(case.dtype)
    return lambda out: rng.random(size, dtype=dtype)
