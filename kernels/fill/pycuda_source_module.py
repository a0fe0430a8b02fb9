"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule, one thread per element."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void fill(long long n, REAL *out)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 1;
}
"""


def prepare(case):
    fill = SourceModule(SOURCE, options=[f"-DREAL={case.ctype}"]).get_function("fill")
    n, grid, block = np.int64(case.size), (case.blocks(), 1), (case.block_size, 1, 1)
    return lambda out: fill(n, out, grid=grid, block=block, stream=case.stream)
