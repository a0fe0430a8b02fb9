"""cupy.random.Generator with cuRAND's default generator, XORWOW; a new array each time."""

import cupy as cp


def prepare(case):
    rng, size, dtype = cp.random.Generator(cp.random.XORWOW(20230308)), case.size, cp.dtype(case.dtype)
    return lambda out: rng.random(size, dtype=dtype)
