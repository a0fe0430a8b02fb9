"""CUDA C in a string, compiled by PyCUDA at run time: a shared-memory tree per block, then a tree of block sums."""

from pycuda import gpuarray
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)
BLOCKS = 1024  # maximum number of blocks
SOURCE = """
__global__ void vector_sum(long long n, const Real *x, Real *sums)
{
    extern __shared__ Real shared[];
    Real mine = 0;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        mine += x[i];
    shared[threadIdx.x] = mine;
    // idea: the upper half is added to the lower, until one sum is left
    for (unsigned active = blockDim.x; active > 1; active = (active + 1) / 2) {
        __syncthreads();
        if (threadIdx.x < active / 2)
            shared[threadIdx.x] += shared[threadIdx.x + (active + 1) / 2];
    }
    // end of idea
    if (threadIdx.x == 0)
        sums[blockIdx.x] = shared[0];
}
"""


def prepare(case):
    vector_sum = SourceModule(SOURCE, options=[f"-DReal={case.ctype}"]).get_function("vector_sum").prepare("qPP")
    block, shared_bytes = (case.block_size, 1, 1), case.block_size * case.itemsize
    blocks = min(case.blocks(), BLOCKS)
    sums, total = gpuarray.empty(blocks, case.dtype), gpuarray.empty((), case.dtype)

    def run(x):
        launch, stream = vector_sum.prepared_async_call, case.stream
        launch((blocks, 1), block, stream, case.size, x.gpudata, sums.gpudata, shared_size=shared_bytes)
        launch((1, 1), block, stream, blocks, sums.gpudata, total.gpudata, shared_size=shared_bytes)
        return total

    return run
