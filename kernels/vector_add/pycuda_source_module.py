"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule, one thread per element."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void vector_add(long long n, const REAL *x, const REAL *y, REAL *out)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = x[i] + y[i];
}
"""


def prepare(case):
    vector_add = SourceModule(SOURCE, options=[f"-DREAL={case.ctype}"]).get_function("vector_add")
    n, grid, block = np.int64(case.size), (case.blocks(), 1), (case.block_size, 1, 1)
    return lambda x, y, out: vector_add(n, x, y, out, grid=grid, block=block, stream=case.stream)
