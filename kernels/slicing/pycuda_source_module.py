"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule, one thread per element."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void slicing(long long rows, long long columns, const REAL *x, REAL *out)
{
    const long long i = blockIdx.y, j = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows && j < columns)
        out[i * columns + j] = x[3 * i * columns + j];
}
"""


def prepare(case):
    real = {"float64": "double", "float32": "float"}[case.dtype]
    module = SourceModule(SOURCE, options=["-O3", f"-DREAL={real}"])
    slicing = module.get_function("slicing")
    rows, columns, stream = np.int64(-(-case.size // 3)), np.int64(case.size), case.stream
    grid = max(1, -(-case.size // case.block_size)), max(1, int(rows))
    block = case.block_size, 1, 1

    def run(x, out):
        slicing(rows, columns, x, out, grid=grid, block=block, stream=stream)

    run.kernel = slicing
    run.module = module  # a module that nobody holds is unloaded, and takes its functions with it
    return run
