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
    multiply = SourceModule(SOURCE, options=[f"-DReal={case.ctype}"]).get_function("multiply").prepare("qPPP")
    grid, block = (case.blocks(), 1), (case.block_size, 1, 1)

    def run(x, y, out):
        multiply.prepared_async_call(grid, block, case.stream, case.size, x.gpudata, y.gpudata, out.gpudata)

    return run
