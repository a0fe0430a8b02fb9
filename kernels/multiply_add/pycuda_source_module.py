"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule, one thread per element."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void multiply_add(long long n, const REAL *x1, const REAL *x2, REAL b, REAL *out)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = x1[i] * x2[i] + b;
}
"""


def prepare(case):
    multiply_add = SourceModule(SOURCE, options=[f"-DREAL={case.ctype}"]).get_function("multiply_add")
    n, grid, block = np.int64(case.size), (case.blocks(), 1), (case.block_size, 1, 1)
    return lambda x1, x2, b, out: multiply_add(n, x1, x2, b, out, grid=grid, block=block, stream=case.stream)
