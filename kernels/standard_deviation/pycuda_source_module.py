"""CUDA C in a string, compiled by PyCUDA at run time: two passes, each a tree per block, then one over their sums."""

from pycuda import gpuarray
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)
BLOCKS = 1024  # at most
SOURCE = """
__device__ void add_up_block(double *shared, double mine)
{
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1; active = (active + 1) / 2) {
        __syncthreads();
        if (threadIdx.x < active / 2)
            shared[threadIdx.x] += shared[threadIdx.x + (active + 1) / 2];
    }
}

__global__ void powers(long long n, const Real *x, const double *mean, int power, double *sums)
{
    extern __shared__ double shared[];
    double mine = 0;
    // idea: a thread adds up what lies a whole grid apart
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        mine += power == 1 ? x[i] : (x[i] - *mean) * (x[i] - *mean);
    // end of idea
    add_up_block(shared, mine);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = shared[0];
}

__global__ void average(long long n, int blocks, const double *sums, double *mean, Real *deviation)
{
    extern __shared__ double shared[];
    double mine = 0;
    for (int i = threadIdx.x; i < blocks; i += blockDim.x)
        mine += sums[i];
    add_up_block(shared, mine);
    if (threadIdx.x == 0) {
        *mean = shared[0] / n;
        *deviation = sqrt(*mean);
    }
}
"""


def prepare(case):
    module = SourceModule(SOURCE, options=[f"-DReal={case.ctype}"])
    powers, average = module.get_function("powers").prepare("qPPiP"), module.get_function("average").prepare("qiPPP")
    n, block, stream = case.size, (case.block_size, 1, 1), case.stream
    blocks, shared_bytes = min(case.blocks(), BLOCKS), 8 * case.block_size
    sums, mean, result = gpuarray.empty(blocks, "float64"), gpuarray.empty(1, "float64"), gpuarray.empty((), case.dtype)

    def run(x):
        for power in (1, 2):
            launch = powers.prepared_async_call
            launch(
                (blocks, 1), block, stream, n, x.gpudata, mean.gpudata, power, sums.gpudata, shared_size=shared_bytes
            )
            launch = average.prepared_async_call
            launch(
                (1, 1), block, stream, n, blocks, sums.gpudata, mean.gpudata, result.gpudata, shared_size=shared_bytes
            )
        return result

    return run
