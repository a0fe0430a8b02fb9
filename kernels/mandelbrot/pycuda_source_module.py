"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule, one thread per point."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void mandelbrot(long long n, const REAL *x, const REAL *y, int limit, int *counts)
{
    const long long column = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long row = (long long)blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n)
        return;
    const REAL a = x[column], b = y[row];
    REAL re = 0, im = 0;
    int step = 0;
    while (step < limit && re * re + im * im <= 4) {
        const REAL next = re * re - im * im + a;
        im = 2 * re * im + b;
        re = next;
        step++;
    }
    counts[row * n + column] = step;
}
"""


def prepare(case):
    mandelbrot = SourceModule(SOURCE, options=["-O3", f"-DREAL={case.ctype}"]).get_function("mandelbrot")
    n, launch = np.int64(case.size), {"grid": case.blocks(), "block": (*case.block_size, 1), "stream": case.stream}
    return lambda x, y, limit, counts: mandelbrot(n, x, y, limit, counts, **launch)
