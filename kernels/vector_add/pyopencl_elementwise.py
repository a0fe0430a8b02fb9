"""PyOpenCL ElementwiseKernel."""

from pyopencl.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    vector_add = ElementwiseKernel(
        case.queue.context,
        f"const {real} *x, const {real} *y, {real} *out",
        "out[i] = x[i] + y[i]",
        "vector_add",
    )

    def run(x, y, out):
        vector_add(x, y, out)

    return run
