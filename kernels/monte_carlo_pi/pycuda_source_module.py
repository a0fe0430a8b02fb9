"""CUDA C in a string, compiled by PyCUDA at run time: hits added up by atomics, the estimate by a second kernel."""

import numpy as np
from pycuda import gpuarray
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)
BLOCKS = 2048  # at most
SOURCE = """
typedef unsigned long long uint64;

__device__ uint64 random_bits(uint64 start, uint64 k)
{
    uint64 z = start + k * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

__device__ double unit_float64(uint64 bits) { return (bits >> 11) * 0x1p-53; }
__device__ float unit_float32(uint64 bits) { return (bits >> 40) * 0x1p-24f; }

__global__ void count(long long n, uint64 seed, uint64 *hits)
{
    __shared__ unsigned of_block;
    if (threadIdx.x == 0)
        of_block = 0;
    __syncthreads();
    unsigned mine = 0;
    const uint64 start = random_bits(seed, 0);
    // idea: a thread counts the hits of points a whole grid apart, an atomic adds them up
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (long long)gridDim.x * blockDim.x) {
        const Real x = UNIT(random_bits(start, 2 * i)), y = UNIT(random_bits(start, 2 * i + 1));
        mine += x * x + y * y < 1;
    }
    atomicAdd(&of_block, mine);
    // end of idea
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(hits, (uint64)of_block);
}

__global__ void estimate(long long n, uint64 *hits, double *pi)
{
    *pi = n ? 4.0 * *hits / n : 0.0;
    *hits = 0;
}
"""


def prepare(case):
    module = SourceModule(SOURCE, options=[f"-DReal={case.ctype}", f"-DUNIT=unit_{case.dtype}"])
    count, estimate = module.get_function("count").prepare("qQP"), module.get_function("estimate").prepare("qPP")
    hits, pi = gpuarray.zeros(1, np.uint64), gpuarray.empty((), np.float64)
    grid, block = (min(case.blocks(), BLOCKS), 1), (case.block_size, 1, 1)

    def run(n, seed):
        count.prepared_async_call(grid, block, case.stream, int(n), int(seed), hits.gpudata)
        estimate.prepared_async_call((1, 1), (1, 1, 1), case.stream, int(n), hits.gpudata, pi.gpudata)
        return pi

    return run
