"""Python compiled by cupyx.jit.rawkernel, one thread per point."""

import numpy as np
from cupyx import jit

PARAMETERS = ("block_size",)


@jit.rawkernel()
def mandelbrot(x, y, limit, counts, n, two, four):
    j = np.int32(jit.blockIdx.x * jit.blockDim.x + jit.threadIdx.x)
    i = np.int32(jit.blockIdx.y * jit.blockDim.y + jit.threadIdx.y)
    if i < n and j < n:
        a, b = x[j], y[i]
        re, im = a - a, b - b
        step = np.int32(0)
        while step < limit and re * re + im * im <= four:
            following = re * re - im * im + a
            im = two * re * im + b
            re = following
            step += np.int32(1)
        counts[i, j] = step


def prepare(case):
    two, four = np.array([2, 4], case.dtype)

    def run(x, y, limit, counts):
        mandelbrot(case.blocks(), case.block_size, (x, y, limit, counts, case.size, two, four))

    return run
