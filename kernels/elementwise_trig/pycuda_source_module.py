"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule, one thread per element."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void elementwise_trig(long long n, const REAL *x, REAL *out)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = sin(x[i]) * sin(x[i]) + cos(x[i]) * cos(x[i]);
}
"""


def prepare(case):
    trig = SourceModule(SOURCE, options=["-O3", f"-DREAL={case.ctype}"]).get_function("elementwise_trig")
    n, grid, block = np.int64(case.size), (case.blocks(), 1), (case.block_size, 1, 1)
    return lambda x, out: trig(n, x, out, grid=grid, block=block, stream=case.stream)
