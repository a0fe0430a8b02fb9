"""Numba CUDA kernel, one thread per element of the product, with strips of both matrices in shared memory."""

import numba
from numba import cuda

ALGORITHM = "tiles"
PARAMETERS = ("block_size",)
DEPTH, SHARED_MEMORY = 32, 48 * 1024  # depth of a strip; maximum shared memory of a kernel, in bytes


def prepare(case):
    bx, by = case.block_size
    shared = (bx + by) * DEPTH * case.itemsize
    if shared > SHARED_MEMORY:
        raise NotImplementedError(f"needs {shared} bytes of shared memory, more than {SHARED_MEMORY}")
    real = getattr(numba, case.dtype)

    @cuda.jit
    def matmul(a, b, out):
        a_strip = cuda.shared.array((by, DEPTH), real)
        b_strip = cuda.shared.array((DEPTH, bx), real)
        x, y, n = cuda.threadIdx.x, cuda.threadIdx.y, out.shape[0]
        column, row = cuda.grid(2)
        total = real(0)
        # idea: all threads load strips of both matrices into shared memory, and all use them
        for start in range(0, n, DEPTH):
            for k in range(x, DEPTH, bx):
                a_strip[y, k] = a[row, start + k] if row < n and start + k < n else real(0)
            for k in range(y, DEPTH, by):
                b_strip[k, x] = b[start + k, column] if column < n and start + k < n else real(0)
            cuda.syncthreads()
            for k in range(DEPTH):
                total += a_strip[y, k] * b_strip[k, x]
            cuda.syncthreads()
        # end of idea
        if row < n and column < n:
            out[row, column] = total

    return matmul[case.blocks(), case.block_size, case.stream]
