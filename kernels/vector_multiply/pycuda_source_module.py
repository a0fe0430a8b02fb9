"""CUDA C in a string, compiled by PyCUDA at run time, one thread per element."""

from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)
SOURCE = """
__global__ void multiply(long long n, const Real *x, const Real *y, Real *out)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = x[i] * y[i];
}
"""


def prepare(case):
    real = {"float64": "double", "float32": "float"}[case.dtype]
    multiply = SourceModule(SOURCE, options=[f"-DReal={real}"]).get_function("multiply").prepare("qPPP")
    blocks = max(1, -(-case.size // case.block_size))

    def run(x, y, out):
        multiply.prepared_async_call(
            (blocks, 1), (case.block_size, 1, 1), case.stream, case.size, x.gpudata, y.gpudata, out.gpudata
        )

    run.kernel = multiply
    return run
