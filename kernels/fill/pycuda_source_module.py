"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule, one thread per element."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void fill(long long n, REAL *out)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 1;
}
"""


def prepare(case):
    real = {"float64": "double", "float32": "float"}[case.dtype]
    module = SourceModule(SOURCE, options=[f"-DREAL={real}"])
    fill = module.get_function("fill")
    n, stream = np.int64(case.size), case.stream
    grid, block = (max(1, -(-case.size // case.block_size)), 1), (case.block_size, 1, 1)

    def run(out):
        fill(n, out, grid=grid, block=block, stream=stream)

    run.kernel = fill
    run.module = module  # a module that nobody holds is unloaded, and takes its functions with it
    return run
