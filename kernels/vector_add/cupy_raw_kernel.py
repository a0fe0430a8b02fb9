"""CUDA C in a string, compiled at run time by cupy.RawKernel, one thread per element."""

import cupy as cp

PARAMETERS = ("block_size",)

SOURCE = """
extern "C" __global__ void vector_add(long long n, const REAL *x, const REAL *y, REAL *out)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = x[i] + y[i];
}
"""


def prepare(case):
    vector_add = cp.RawKernel(SOURCE, "vector_add", options=(f"-DREAL={case.ctype}",))
    grid, block = (case.blocks(),), (case.block_size,)
    return lambda x, y, out: vector_add(grid, block, (case.size, x, y, out))
