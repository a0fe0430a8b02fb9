"""PyOpenCL ElementwiseKernel."""

from pyopencl.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    trig = ElementwiseKernel(
        case.queue.context,
        f"const {real} *x, {real} *out",
        "out[i] = sin(x[i]) * sin(x[i]) + cos(x[i]) * cos(x[i])",
        "elementwise_trig",
    )

    def run(x, out):
        trig(x, out)

    return run
