"""PyCUDA ElementwiseKernel; the library chooses blocks and grid."""

from pycuda.elementwise import ElementwiseKernel


def prepare(case):
    fill = ElementwiseKernel(f"{case.ctype} *out", "out[i] = 1", "fill")
    return lambda out: fill(out, stream=case.stream)
