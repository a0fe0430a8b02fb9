"""PyCUDA ElementwiseKernel; the library chooses blocks and grid."""

from pycuda.elementwise import ElementwiseKernel


def prepare(case):
    real = {"float64": "double", "float32": "float"}[case.dtype]
    copy = ElementwiseKernel(f"const {real} *x, {real} *out", "out[i] = x[i]", "copy")
    stream = case.stream

    def run(x, out):
        copy(x, out, stream=stream)

    return run
