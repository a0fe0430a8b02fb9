"""PyCUDA ElementwiseKernel; the library chooses blocks and grid."""

from pycuda.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    copy = ElementwiseKernel(f"const {real} *x, {real} *out", "out[i] = x[i]", "copy")
    return lambda x, out: copy(x, out, stream=case.stream)
