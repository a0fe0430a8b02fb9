"""CUDA C in a string, compiled at run time by cupy.RawKernel, one thread per element."""

import cupy as cp
import numpy as np

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
    real = {"float64": "double", "float32": "float"}[case.dtype]
    vector_add = cp.RawKernel(SOURCE, "vector_add", options=(f"-DREAL={real}",))
    blocks, block = max(1, -(-case.size // case.block_size)), case.block_size
    n = np.int64(case.size)

    def run(x, y, out):
        vector_add((blocks,), (block,), (n, x, y, out))

    run.kernel = vector_add
    return run
