"""PyCUDA ElementwiseKernel, one point at a time."""

from pycuda.elementwise import ElementwiseKernel

OPERATION = """
    const REAL a = x[i % columns], b = y[i / columns];
    REAL re = 0, im = 0;
    int step = 0;
    while (step < limit && re * re + im * im <= 4) {
        const REAL next = re * re - im * im + a;
        im = 2 * re * im + b;
        re = next;
        step++;
    }
    counts[i] = step
"""


def prepare(case):
    real = case.ctype
    mandelbrot = ElementwiseKernel(
        f"int *counts, const {real} *x, const {real} *y, long columns, int limit",
        OPERATION.replace("REAL", real),
        "mandelbrot",
    )
    return lambda x, y, limit, counts: mandelbrot(counts, x, y, x.size, limit, stream=case.stream)
