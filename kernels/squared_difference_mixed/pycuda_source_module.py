"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule, one thread per element."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void squared_difference(long long n, const short *x, const REAL *y, REAL *out)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = (x[i] - y[i]) * (x[i] - y[i]);
}
"""


def prepare(case):
    module = SourceModule(SOURCE, options=["-O3", f"-DREAL={case.ctype}"])
    squared_difference = module.get_function("squared_difference")
    n, grid, block = np.int64(case.size), (case.blocks(), 1), (case.block_size, 1, 1)
    return lambda x, y, out: squared_difference(n, x, y, out, grid=grid, block=block, stream=case.stream)
