"""PyOpenCL ElementwiseKernel."""

from pyopencl.elementwise import ElementwiseKernel


def prepare(case):
    real, formula = case.ctype, "z[i] = a * x[i] + b * y[i]"
    arguments = f"{real} a, const {real} *x, {real} b, const {real} *y, {real} *z"
    combine = ElementwiseKernel(case.queue.context, arguments, formula, "linear_combination")

    def run(a, x, b, y, z):
        combine(a, x, b, y, z)

    return run
