"""CUDA C in a string, compiled by PyCUDA at run time: a shared-memory tree per block, then one over their maxima."""

import numpy as np
from pycuda import gpuarray
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)
BLOCKS = 1024  # at most
SOURCE = """
__global__ void maximum(long long n, const Real *x, Real lowest, Real *maxima)
{
    extern __shared__ Real shared[];
    Real mine = lowest;
    // idea: a thread keeps the largest of what lies a whole grid apart
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        mine = max(mine, x[i]);
    // end of idea
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1; active = (active + 1) / 2) {
        __syncthreads();
        if (threadIdx.x < active / 2)
            shared[threadIdx.x] = max(shared[threadIdx.x], shared[threadIdx.x + (active + 1) / 2]);
    }
    if (threadIdx.x == 0)
        maxima[blockIdx.x] = shared[0];
}
"""


def prepare(case):
    real, lowest = case.ctype, np.finfo(case.dtype).min
    module = SourceModule(SOURCE, options=[f"-DReal={real}"])
    maximum = module.get_function("maximum").prepare(f"qP{lowest.dtype.char}P")
    blocks = min(case.blocks(), BLOCKS)
    maxima, largest = gpuarray.empty(blocks, case.dtype), gpuarray.empty((), case.dtype)
    block, shared_bytes = (case.block_size, 1, 1), case.block_size * maxima.dtype.itemsize

    def run(x):
        launch, stream = maximum.prepared_async_call, case.stream
        launch((blocks, 1), block, stream, case.size, x.gpudata, lowest, maxima.gpudata, shared_size=shared_bytes)
        launch((1, 1), block, stream, blocks, maxima.gpudata, lowest, largest.gpudata, shared_size=shared_bytes)
        return largest

    return run
