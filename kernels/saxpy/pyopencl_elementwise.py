"""PyOpenCL ElementwiseKernel."""

from pyopencl.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    saxpy = ElementwiseKernel(
        case.queue.context,
        f"{real} a, const {real} *x, const {real} *y, {real} *out",
        "out[i] = a * x[i] + y[i]",
        "saxpy",
    )

    def run(a, x, y, out):
        saxpy(a, x, y, out)

    return run
