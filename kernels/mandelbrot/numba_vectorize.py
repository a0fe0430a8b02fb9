"""Numba vectorize: a NumPy ufunc made from a function of one point, broadcast over columns and rows."""

import numba
import numpy as np

FOUR = np.float32(4)  # Numba would compare float32 and an integer in double precision


@numba.vectorize(["int32(float32, float32, int32)", "int32(float64, float64, int32)"], cache=True)
def mandelbrot(a, b, limit):
    re = im = a - a
    for step in range(limit):
        re, im = re * re - im * im + a, (re + re) * im + b
        if re * re + im * im > FOUR:
            return step + 1
    return limit


def run(x, y, limit, counts):
    mandelbrot(x, y[:, np.newaxis], limit, out=counts)
