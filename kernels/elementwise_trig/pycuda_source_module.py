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
    real = {"float64": "double", "float32": "float"}[case.dtype]
    module = SourceModule(SOURCE, options=["-O3", f"-DREAL={real}"])
    trig = module.get_function("elementwise_trig")
    n, stream = np.int64(case.size), case.stream
    grid, block = (max(1, -(-case.size // case.block_size)), 1), (case.block_size, 1, 1)

    def run(x, out):
        trig(n, x, out, grid=grid, block=block, stream=stream)

    run.kernel = trig
    run.module = module  # a module that nobody holds is unloaded, and takes its functions with it
    return run
