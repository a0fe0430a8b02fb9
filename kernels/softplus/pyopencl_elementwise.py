"""PyOpenCL ElementwiseKernel."""

from pyopencl.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    softplus = ElementwiseKernel(
        case.queue.context,
        f"const {real} *x, {real} *out",
        "out[i] = (x[i] > 0 ? x[i] : 0) + log1p(exp(-fabs(x[i])))",
        "softplus",
    )

    def run(x, out):
        softplus(x, out)

    return run
