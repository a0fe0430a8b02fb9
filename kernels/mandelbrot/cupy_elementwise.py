"""CuPy ElementwiseKernel, one point at a time, broadcast over columns and rows."""

import cupy as cp

PARAMETERS = ("block_size",)

mandelbrot = cp.ElementwiseKernel(
    "T a, T b, int32 limit",
    "int32 count",
    """
    T re = 0, im = 0;
    int step = 0;
    while (step < limit && re * re + im * im <= 4) {
        const T next = re * re - im * im + a;
        im = 2 * re * im + b;
        re = next;
        step++;
    }
    count = step
    """,
    "mandelbrot",
)


def run(x, y, limit, counts, *, block_size):
    mandelbrot(x, y[:, cp.newaxis], limit, counts, block_size=block_size[0] * block_size[1])
