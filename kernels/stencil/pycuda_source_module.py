"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule, one thread per point."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void stencil(long long n, const REAL *x, REAL *out)
{
    const long long column = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long row = (long long)blockIdx.y * blockDim.y + threadIdx.y, i = row * n + column;
    if (row >= n || column >= n)
        return;
    if (row == 0 || row == n - 1 || column == 0 || column == n - 1)
        out[i] = x[i];
    else
        out[i] = (x[i] + x[i - n] + x[i + n] + x[i - 1] + x[i + 1]) * (REAL)0.2;
}
"""


def prepare(case):
    stencil = SourceModule(SOURCE, options=["-O3", f"-DREAL={case.ctype}"]).get_function("stencil")
    n, grid, block = np.int64(case.size), case.blocks(), (*case.block_size, 1)
    return lambda x, out: stencil(n, x, out, grid=grid, block=block, stream=case.stream)
