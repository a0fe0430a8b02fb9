"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule, one thread per element."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void transpose(long long n, const REAL *x, REAL *out)
{
    const long long j = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long i = (long long)blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n)
        out[j * n + i] = x[i * n + j];
}
"""


def prepare(case):
    transpose = SourceModule(SOURCE, options=["-O3", f"-DREAL={case.ctype}"]).get_function("transpose")
    n, grid, block = np.int64(case.size), case.blocks(), (*case.block_size, 1)
    return lambda x, out: transpose(n, x, out, grid=grid, block=block, stream=case.stream)
