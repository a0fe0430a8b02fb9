"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule, one thread per element."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void softplus(long long n, const REAL *x, REAL *out)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = (x[i] > 0 ? x[i] : 0) + log1p(exp(-fabs(x[i])));
}
"""


def prepare(case):
    softplus = SourceModule(SOURCE, options=["-O3", f"-DREAL={case.ctype}"]).get_function("softplus")
    n, grid, block = np.int64(case.size), (case.blocks(), 1), (case.block_size, 1, 1)
    return lambda x, out: softplus(n, x, out, grid=grid, block=block, stream=case.stream)
