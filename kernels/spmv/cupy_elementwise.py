"""CuPy ElementwiseKernel, whose i is a row: one thread per row."""

import cupy as cp

PARAMETERS = ("block_size",)

spmv = cp.ElementwiseKernel(
    "raw T data, raw int32 indices, raw int32 indptr, raw T x",
    "T y",
    """
    T sum = 0;
    for (int k = indptr[i]; k < indptr[i + 1]; k++)
        sum += data[k] * x[indices[k]];
    y = sum;
    """,
    "spmv",
)


def run(data, indices, indptr, x, y, *, block_size):
    spmv(data, indices, indptr, x, y, block_size=block_size)
