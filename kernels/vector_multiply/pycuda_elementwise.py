"""PyCUDA ElementwiseKernel."""

from pycuda.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    multiply = ElementwiseKernel(
        f"const {real} *x, const {real} *y, {real} *out", "out[i] = x[i] * y[i]", "vector_multiply"
    )
    return lambda x, y, out: multiply(x, y, out, stream=case.stream)
