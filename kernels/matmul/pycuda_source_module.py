"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule for the tile that is asked for."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)
DEPTH, SHARED_MEMORY = 32, 48 * 1024  # bytes that a kernel can declare

SOURCE = """
__global__ void matmul(long long n, const REAL *a, const REAL *b, REAL *out)
{
    __shared__ REAL a_strip[BY][DEPTH], b_strip[DEPTH][BX];
    const int x = threadIdx.x, y = threadIdx.y;
    const long long column = (long long)blockIdx.x * BX + x, row = (long long)blockIdx.y * BY + y;
    REAL sum = 0;
    // idea: strips of both matrices, brought into shared memory by all threads, are used by all of them
    for (long long start = 0; start < n; start += DEPTH) {
        for (int k = x; k < DEPTH; k += BX)
            a_strip[y][k] = row < n && start + k < n ? a[row * n + start + k] : 0;
        for (int k = y; k < DEPTH; k += BY)
            b_strip[k][x] = column < n && start + k < n ? b[(start + k) * n + column] : 0;
        __syncthreads();
        for (int k = 0; k < DEPTH; k++)
            sum += a_strip[y][k] * b_strip[k][x];
        __syncthreads();
    }
    // end of idea
    if (row < n && column < n)
        out[row * n + column] = sum;
}
"""


def prepare(case):
    bx, by = case.block_size
    shared = (bx + by) * DEPTH * case.itemsize
    if shared > SHARED_MEMORY:
        raise NotImplementedError(f"needs {shared} bytes of shared memory, more than {SHARED_MEMORY}")
    values = f"-DREAL={case.ctype}", f"-DBX={bx}", f"-DBY={by}", f"-DDEPTH={DEPTH}"
    matmul = SourceModule(SOURCE, options=["-O3", *values]).get_function("matmul")
    n, grid, block = np.int64(case.size), case.blocks(), (bx, by, 1)
    return lambda a, b, out: matmul(n, a, b, out, grid=grid, block=block, stream=case.stream)
