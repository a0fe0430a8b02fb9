"""Numba CUDA kernels: one draws points by SplitMix64 and adds up hits by atomics; a second one computes pi."""

import numpy as np
from numba import cuda

PARAMETERS = ("block_size",)
BLOCKS = 2048  # maximum number of blocks


@cuda.jit(device=True)
def random(start, k):
    z = start + k * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@cuda.jit(device=True)
def inside_float64(start, i):
    k = np.uint64(2 * i)
    x = np.float64(random(start, k) >> np.uint64(11)) * 2.0**-53
    y = np.float64(random(start, k + np.uint64(1)) >> np.uint64(11)) * 2.0**-53
    return x * x + y * y < 1


@cuda.jit(device=True)
def inside_float32(start, i):
    bits = random(start, np.uint64(i))
    x = np.float32(bits >> np.uint64(40)) * np.float32(2.0**-24)
    y = np.float32((bits & np.uint64(0xFFFFFFFF)) >> np.uint64(8)) * np.float32(2.0**-24)
    return x * x + y * y < np.float32(1)


@cuda.jit
def estimate(n, hits, pi):
    pi[0] = 4.0 * hits[0] / n if n else 0.0
    hits[0] = 0


def prepare(case):
    inside = {"float64": inside_float64, "float32": inside_float32}[case.dtype]

    @cuda.jit
    def count(n, seed, hits):
        of_block = cuda.shared.array(1, np.int32)
        if cuda.threadIdx.x == 0:
            of_block[0] = 0
        cuda.syncthreads()
        start, mine = random(seed, np.uint64(0)), 0
        # idea: a thread counts the hits of points with a stride of the grid's size; atomics add up the counts
        for i in range(cuda.grid(1), n, cuda.gridsize(1)):
            mine += inside(start, i)
        cuda.atomic.add(of_block, 0, mine)
        # end of idea
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            cuda.atomic.add(hits, 0, of_block[0])

    hits, pi = cuda.to_device(np.zeros(1, np.int64)), cuda.device_array(1, np.float64)

    def run(n, seed):
        count[min(case.blocks(), BLOCKS), case.block_size, case.stream](n, seed, hits)
        estimate[1, 1, case.stream](n, hits, pi)
        return pi

    return run
