"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule, one thread per element."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void scale(long long n, REAL factor, const REAL *x, REAL *y)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = factor * x[i];
}
"""


def prepare(case):
    scale = SourceModule(SOURCE, options=["-O3", f"-DREAL={case.ctype}"]).get_function("scale")
    n, grid, block = np.int64(case.size), (case.blocks(), 1), (case.block_size, 1, 1)
    return lambda factor, x, y: scale(n, factor, x, y, grid=grid, block=block, stream=case.stream)
