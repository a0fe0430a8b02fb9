"""Exercise: SAXPY in CUDA C in a string, compiled at run time by PyCUDA."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void saxpy(long long n, REAL a, const REAL *x, const REAL *y, REAL *out)
{
    /* out = a * x + y, one element a thread */
}
"""


def prepare(case):
    raise NotImplementedError("write the kernel, choose the number of blocks, then delete this line")
    real = {"float64": "double", "float32": "float"}[case.dtype]
    module = SourceModule(SOURCE, options=[f"-DREAL={real}"])
    saxpy = module.get_function("saxpy")
    n, stream = np.int64(case.size), case.stream
    blocks = 1  # of case.block_size threads each: how many are enough for n elements? A launch of no block is an error

    def run(a, x, y, out):
        saxpy(n, a, x, y, out, grid=(blocks, 1), block=(case.block_size, 1, 1), stream=stream)

    run.kernel = saxpy
    run.module = module  # a module that nobody holds is unloaded, and takes its functions with it
    return run
