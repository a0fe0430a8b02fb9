"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule: an atomic in global memory for each number."""

import numpy as np
from pycuda import driver
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void histogram(long long n, int bins, const REAL *x, int *counts)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(counts + (int)(x[i] * bins), 1);
}
"""


def prepare(case):
    histogram = SourceModule(SOURCE, options=["-O3", f"-DREAL={case.ctype}"]).get_function("histogram")
    n, grid, block, stream = np.int64(case.size), (case.blocks(), 1), (case.block_size, 1, 1), case.stream

    def run(x, counts):
        driver.memset_d32_async(counts.gpudata, 0, counts.size, stream)
        histogram(n, np.int32(counts.size), x, counts, grid=grid, block=block, stream=stream)

    return run
