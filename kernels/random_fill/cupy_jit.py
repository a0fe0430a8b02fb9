"""A Python function compiled to CUDA by cupyx.jit.rawkernel, hashing a counter (SplitMix64), one thread per element."""

from itertools import count

import numpy as np
from cupyx import jit

PARAMETERS = ("block_size",)
SCALE = {"float64": np.float64(2.0**-53), "float32": np.float32(2.0**-24)}


@jit.rawkernel(device=True)
def random_bits(k):
    z = (k + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def prepare(case):
    real, scale = np.dtype(case.dtype).type, SCALE[case.dtype]
    unused = np.uint64({"float64": 11, "float32": 40}[case.dtype])  # bits beyond the precision

    @jit.rawkernel()
    def fill(drawn, out):
        i = np.int64(jit.blockIdx.x) * jit.blockDim.x + jit.threadIdx.x
        if i < out.size:
            out[i] = real(random_bits(drawn + np.uint64(i)) >> unused) * scale

    grid, block, drawn = (case.blocks(),), (case.block_size,), count(0, case.size)
    return lambda out: fill(grid, block, (np.uint64(next(drawn)), out))
