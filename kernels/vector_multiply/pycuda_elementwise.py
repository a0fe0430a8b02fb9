"""PyCUDA ElementwiseKernel."""

from pycuda.elementwise import ElementwiseKernel


def prepare(case):
    real = {"float64": "double", "float32": "float"}[case.dtype]
    multiply = ElementwiseKernel(
        f"const {real} *x, const {real} *y, {real} *out", "out[i] = x[i] * y[i]", "vector_multiply"
    )

    def run(x, y, out):
        multiply(x, y, out, stream=case.stream)

    return run
