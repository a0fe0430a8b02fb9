"""Numba CUDA kernel, one thread per point."""

import numpy as np
from numba import cuda

PARAMETERS = ("block_size",)
FOUR = np.float32(4)  # Numba would compare float32 and an integer in double precision


@cuda.jit
def mandelbrot(x, y, limit, counts):
    j, i = cuda.grid(2)
    if i < y.size and j < x.size:
        a, b = x[j], y[i]
        re = im = a - a
        step = 0
        while step < limit and re * re + im * im <= FOUR:
            re, im = re * re - im * im + a, (re + re) * im + b
            step += 1
        counts[i, j] = step


def prepare(case):
    return mandelbrot[case.blocks(), case.block_size, case.stream]
