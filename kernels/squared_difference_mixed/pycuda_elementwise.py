"""PyCUDA ElementwiseKernel; the library chooses blocks and grid."""

from pycuda.elementwise import ElementwiseKernel


def prepare(case):
    real = {"float64": "double", "float32": "float"}[case.dtype]
    squared_difference = ElementwiseKernel(
        f"short *x, {real} *y, {real} *out",
        "out[i] = (x[i] - y[i]) * (x[i] - y[i])",
        "squared_difference",
    )
    stream = case.stream

    def run(x, y, out):
        squared_difference(x, y, out, stream=stream)

    return run
