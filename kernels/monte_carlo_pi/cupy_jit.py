"""Python compiled by cupyx.jit.rawkernel: it draws points by SplitMix64 and adds up hits by atomics."""

import cupy as cp
import numpy as np
from cupyx import jit

PARAMETERS = ("block_size",)
BLOCKS = 2048  # maximum number of blocks
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
SCALE = {"float64": np.float64(2.0**-53), "float32": np.float32(2.0**-24)}


@jit.rawkernel(device=True)
def random_bits(start, k):
    z = start + k * GOLDEN
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def prepare(case):
    real, scale = np.dtype(case.dtype).type, SCALE[case.dtype]
    unused = np.uint64({"float64": 11, "float32": 40}[case.dtype])  # number of unused random bits

    @jit.rawkernel()
    def count(n, seed, hits):
        of_block = jit.shared_memory(np.uint32, 1)
        if jit.threadIdx.x == 0:
            of_block[0] = np.uint32(0)
        jit.syncthreads()
        start, mine = random_bits(seed, np.uint64(0)), np.uint32(0)
        block = np.int64(jit.blockDim.x)
        # idea: a thread counts the hits of points with a stride of the grid's size; atomics add up the counts
        for i in range(jit.blockIdx.x * block + jit.threadIdx.x, n, jit.gridDim.x * block):
            k = np.uint64(2 * i)
            x = real(random_bits(start, k) >> unused) * scale
            y = real(random_bits(start, k + np.uint64(1)) >> unused) * scale
            if x * x + y * y < real(1):
                mine += np.uint32(1)
        jit.atomic_add(of_block, 0, mine)
        # end of idea
        jit.syncthreads()
        if jit.threadIdx.x == 0:
            jit.atomic_add(hits, 0, np.uint64(of_block[0]))

    grid, block = (min(case.blocks(), BLOCKS),), (case.block_size,)

    def run(n, seed):
        hits = cp.zeros((), "uint64")
        count(grid, block, (n, seed, hits.reshape(1)))
        return hits * (4 / max(n, 1))

    return run
