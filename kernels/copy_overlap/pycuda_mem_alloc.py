"""PyCUDA's driver calls with pageable host memory: mem_alloc, memcpy_htod, a launch, memcpy_dtoh."""

import numpy as np
from pycuda import driver
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void twice(long long n, REAL *x)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}
"""


def prepare(case):
    twice = SourceModule(SOURCE, options=["-O3", f"-DREAL={case.ctype}"]).get_function("twice")
    n, grid, block = np.int64(case.size), (case.blocks(), 1), (case.block_size, 1, 1)

    def run(x, out):
        if x.size:  # the driver cannot allocate 0 bytes
            there = driver.mem_alloc(x.nbytes)
            driver.memcpy_htod(there, x)
            twice(n, there, grid=grid, block=block)
            driver.memcpy_dtoh(out, there)

    return run
