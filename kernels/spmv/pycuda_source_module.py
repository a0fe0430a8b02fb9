"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule, one thread per row."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void spmv(long long rows, const REAL *data, const int *indices, const int *indptr, const REAL *x, REAL *y)
{
    const long long row = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    REAL sum = 0;
    for (int k = indptr[row]; k < indptr[row + 1]; k++)
        sum += data[k] * x[indices[k]];
    y[row] = sum;
}
"""


def prepare(case):
    spmv = SourceModule(SOURCE, options=["-O3", f"-DREAL={case.ctype}"]).get_function("spmv")
    rows, stream, block = np.int64(case.size**2), case.stream, (case.block_size, 1, 1)
    grid = case.blocks(n=rows), 1
    return lambda *arrays: spmv(rows, *arrays, grid=grid, block=block, stream=stream)
