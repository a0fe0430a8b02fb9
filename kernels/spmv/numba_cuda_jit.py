"""Numba CUDA kernel, one thread per row."""

from numba import cuda

PARAMETERS = ("block_size",)


@cuda.jit
def spmv(data, indices, indptr, x, y):
    row = cuda.grid(1)
    if row < y.size:
        total = y.dtype.type(0)
        for k in range(indptr[row], indptr[row + 1]):
            total += data[k] * x[indices[k]]
        y[row] = total


def prepare(case):
    return spmv[case.blocks(n=case.size**2), case.block_size, case.stream]
