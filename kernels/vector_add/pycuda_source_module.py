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
    real = {"float64": "double", "float32": "float"}[case.dtype]
    module = SourceModule(SOURCE, options=[f"-DREAL={real}"])
    vector_add = module.get_function("vector_add")
    n, stream = np.int64(case.size), case.stream
    grid, block = (max(1, -(-case.size // case.block_size)), 1), (case.block_size, 1, 1)

    def run(x, y, out):
        vector_add(n, x, y, out, grid=grid, block=block, stream=stream)

    run.kernel = vector_add
    run.module = module  # a module that nobody holds is unloaded, and takes its functions with it
    return run
