"""PyOpenCL ElementwiseKernel."""

from pyopencl.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    linear_combination = ElementwiseKernel(
        case.queue.context,
        f"{real} a, const {real} *x, {real} b, const {real} *y, {real} *z",
        "z[i] = a * x[i] + b * y[i]",
        "linear_combination",
    )

    def run(a, x, b, y, z):
        linear_combination(a, x, b, y, z)

    return run
