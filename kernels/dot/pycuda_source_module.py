"""CUDA C in a string, compiled by PyCUDA at run time: a tree per block, their sums added up by gpuarray.sum."""

from pycuda import gpuarray
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)
BLOCKS = 1024  # at most
SOURCE = """
__global__ void dot(long long n, const Real *x, const Real *y, Real *sums)
{
    extern __shared__ Real shared[];
    Real mine = 0;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        mine += x[i] * y[i];
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1; active = (active + 1) / 2) {
        __syncthreads();
        if (threadIdx.x < active / 2)
            shared[threadIdx.x] += shared[threadIdx.x + (active + 1) / 2];
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = shared[0];
}
"""


def prepare(case):
    dot = SourceModule(SOURCE, options=[f"-DReal={case.ctype}"]).get_function("dot").prepare("qPPP")
    blocks = min(case.blocks(), BLOCKS)
    sums = gpuarray.empty(blocks, case.dtype)
    grid, block, shared_bytes = (blocks, 1), (case.block_size, 1, 1), case.block_size * sums.dtype.itemsize

    def run(x, y):
        pointers = x.gpudata, y.gpudata, sums.gpudata
        dot.prepared_async_call(grid, block, case.stream, case.size, *pointers, shared_size=shared_bytes)
        return gpuarray.sum(sums, stream=case.stream)

    return run
