"""PyOpenCL ElementwiseKernel."""

from pyopencl.elementwise import ElementwiseKernel


def prepare(case):
    real = {"float64": "double", "float32": "float"}[case.dtype]
    scale = ElementwiseKernel(
        case.queue.context, f"{real} factor, const {real} *x, {real} *y", "y[i] = factor * x[i]", "scale"
    )

    def run(factor, x, y):
        scale(factor, x, y)

    return run
