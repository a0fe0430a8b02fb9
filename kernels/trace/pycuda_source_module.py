"""CUDA C in a string, compiled by PyCUDA at run time: one block with a shared-memory tree."""

from pycuda import gpuarray
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)
SOURCE = """
__global__ void trace(long long n, const Real *a, Real *total)
{
    extern __shared__ Real shared[];
    Real mine = 0;
    for (long long i = threadIdx.x; i < n; i += blockDim.x)
        mine += a[i * (n + 1)];
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1; active = (active + 1) / 2) {
        __syncthreads();
        if (threadIdx.x < active / 2)
            shared[threadIdx.x] += shared[threadIdx.x + (active + 1) / 2];
    }
    if (threadIdx.x == 0)
        *total = shared[0];
}
"""


def prepare(case):
    trace = SourceModule(SOURCE, options=[f"-DReal={case.ctype}"]).get_function("trace").prepare("qPP")
    total, block = gpuarray.empty((), case.dtype), (case.block_size, 1, 1)
    shared_bytes = case.block_size * total.dtype.itemsize

    def run(a):
        trace.prepared_async_call(
            (1, 1), block, case.stream, case.size, a.gpudata, total.gpudata, shared_size=shared_bytes
        )
        return total

    return run
