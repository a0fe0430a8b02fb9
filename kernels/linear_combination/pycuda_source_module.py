"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule, one thread per element."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void linear_combination(long long n, REAL a, const REAL *x, REAL b, const REAL *y, REAL *z)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = a * x[i] + b * y[i];
}
"""


def prepare(case):
    linear_combination = SourceModule(SOURCE, options=[f"-DREAL={case.ctype}"]).get_function("linear_combination")
    n, grid, block = np.int64(case.size), (case.blocks(), 1), (case.block_size, 1, 1)
    return lambda a, x, b, y, z: linear_combination(n, a, x, b, y, z, grid=grid, block=block, stream=case.stream)
