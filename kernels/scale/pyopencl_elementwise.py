"""PyOpenCL ElementwiseKernel."""

from pyopencl.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    scale = ElementwiseKernel(
        case.queue.context, f"{real} factor, const {real} *x, {real} *y", "y[i] = factor * x[i]", "scale"
    )

    def run(factor, x, y):
        scale(factor, x, y)

    return run
