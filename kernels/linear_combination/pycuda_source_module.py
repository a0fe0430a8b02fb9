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
    real = {"float64": "double", "float32": "float"}[case.dtype]
    module = SourceModule(SOURCE, options=[f"-DREAL={real}"])
    linear_combination = module.get_function("linear_combination")
    n, stream = np.int64(case.size), case.stream
    grid, block = (max(1, -(-case.size // case.block_size)), 1), (case.block_size, 1, 1)

    def run(a, x, b, y, z):
        linear_combination(n, a, x, b, y, z, grid=grid, block=block, stream=stream)

    run.kernel = linear_combination
    run.module = module  # a module that nobody holds is unloaded, and takes its functions with it
    return run
