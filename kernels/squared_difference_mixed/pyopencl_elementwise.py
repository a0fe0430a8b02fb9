"""PyOpenCL ElementwiseKernel."""

from pyopencl.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    squared_difference = ElementwiseKernel(
        case.queue.context,
        f"const short *x, const {real} *y, {real} *out",
        "out[i] = (x[i] - y[i]) * (x[i] - y[i])",
        "squared_difference",
    )

    def run(x, y, out):
        squared_difference(x, y, out)

    return run
