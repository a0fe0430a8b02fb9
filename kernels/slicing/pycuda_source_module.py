"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule, one thread per element."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void slicing(long long rows, long long columns, const REAL *x, REAL *out)
{
    const long long i = blockIdx.y, j = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows && j < columns)
        out[i * columns + j] = x[3 * i * columns + j];
}
"""


def prepare(case):
    slicing = SourceModule(SOURCE, options=["-O3", f"-DREAL={case.ctype}"]).get_function("slicing")
    rows, columns, block = np.int64(len(range(0, case.size, 3))), np.int64(case.size), (case.block_size, 1, 1)
    grid = case.blocks(), max(1, int(rows))
    return lambda x, out: slicing(rows, columns, x, out, grid=grid, block=block, stream=case.stream)
