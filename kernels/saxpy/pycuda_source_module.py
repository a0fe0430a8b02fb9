"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule, one thread per element."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void saxpy(long long n, REAL a, const REAL *x, const REAL *y, REAL *out)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + y[i];
}
"""


def prepare(case):
    saxpy = SourceModule(SOURCE, options=["-O3", f"-DREAL={case.ctype}"]).get_function("saxpy")
    n, grid, block = np.int64(case.size), (case.blocks(), 1), (case.block_size, 1, 1)
    return lambda a, x, y, out: saxpy(n, a, x, y, out, grid=grid, block=block, stream=case.stream)
