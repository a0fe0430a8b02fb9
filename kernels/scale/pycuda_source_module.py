"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule, one thread per element."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void scale(long long n, REAL factor, const REAL *x, REAL *y)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = factor * x[i];
}
"""


def prepare(case):
    real = {"float64": "double", "float32": "float"}[case.dtype]
    module = SourceModule(SOURCE, options=["-O3", f"-DREAL={real}"])
    scale = module.get_function("scale")
    n, stream = np.int64(case.size), case.stream
    grid, block = (max(1, -(-case.size // case.block_size)), 1), (case.block_size, 1, 1)

    def run(factor, x, y):
        scale(n, factor, x, y, grid=grid, block=block, stream=stream)

    run.kernel = scale
    run.module = module  # a module that nobody holds is unloaded, and takes its functions with it
    return run
