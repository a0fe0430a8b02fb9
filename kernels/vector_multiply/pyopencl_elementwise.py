"""PyOpenCL ElementwiseKernel."""

from pyopencl.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    multiply = ElementwiseKernel(
        case.queue.context, f"const {real} *x, const {real} *y, {real} *out", "out[i] = x[i] * y[i]", "vector_multiply"
    )

    def run(x, y, out):
        multiply(x, y, out)

    return run
