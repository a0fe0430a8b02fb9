"""PyOpenCL ElementwiseKernel."""

from pyopencl.elementwise import ElementwiseKernel


def prepare(case):
    arguments = f"const {case.ctype} *x, {case.ctype} *out"
    formula = "out[i] = sin(x[i]) * sin(x[i]) + cos(x[i]) * cos(x[i])"
    trig = ElementwiseKernel(case.queue.context, arguments, formula, "elementwise_trig")

    def run(x, out):
        trig(x, out)

    return run
