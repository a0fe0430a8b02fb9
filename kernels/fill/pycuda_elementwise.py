"""PyCUDA ElementwiseKernel; the library chooses blocks and grid."""

from pycuda.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    fill = ElementwiseKernel(f"{real} *out", "out[i] = 1", "fill")
    return lambda out: fill(out, stream=case.stream)
