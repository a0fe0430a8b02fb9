"""Exercise: SAXPY in CUDA C, written as a string that PyCUDA compiles at run time."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void saxpy(long long n, REAL a, const REAL *x, const REAL *y, REAL *out)
{
    /* out = a * x + y, one element per thread */
}
"""


def prepare(case):
    raise NotImplementedError("write the kernel, choose the number of blocks, then delete this line")
    saxpy = SourceModule(SOURCE, options=[f"-DREAL={case.ctype}"]).get_function("saxpy")
    n, block = np.int64(case.size), (case.block_size, 1, 1)
    blocks = 1  # blocks of case.block_size threads: how many do n elements need? At least one
    return lambda a, x, y, out: saxpy(n, a, x, y, out, grid=(blocks, 1), block=block, stream=case.stream)
