"""CUDA C in a string, compiled by PyCUDA at run time: one block with shared-memory trees per row."""

from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)
SOURCE = """
__device__ Real combine_block(Real *shared, Real mine, bool maximum)
{
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1; active = (active + 1) / 2) {
        __syncthreads();
        if (threadIdx.x < active / 2) {
            const Real other = shared[threadIdx.x + (active + 1) / 2], own = shared[threadIdx.x];
            shared[threadIdx.x] = !maximum ? own + other : own > other ? own : other;
        }
    }
    __syncthreads();
    const Real all = shared[0];
    __syncthreads();
    return all;
}

__global__ void softmax(long long columns, const Real *x, Real *out)
{
    extern __shared__ Real shared[];
    const Real *row = x + blockIdx.x * columns;
    Real *result = out + blockIdx.x * columns;
    // idea: a row never leaves its block between maximum, exponentials, sum and quotients
    Real top = row[0], total = 0;
    for (long long j = threadIdx.x; j < columns; j += blockDim.x)
        top = row[j] > top ? row[j] : top;
    top = combine_block(shared, top, true);
    for (long long j = threadIdx.x; j < columns; j += blockDim.x)
        total += result[j] = exp(row[j] - top);
    total = combine_block(shared, total, false);
    for (long long j = threadIdx.x; j < columns; j += blockDim.x)
        result[j] /= total;
    // end of idea
}
"""


def prepare(case):
    softmax = SourceModule(SOURCE, options=[f"-DReal={case.ctype}"]).get_function("softmax").prepare("qPP")
    grid, block, columns = (case.size, 1), (case.block_size, 1, 1), case.options["columns"]
    shared_bytes = case.block_size * case.itemsize

    def run(x, out):
        arrays = x.gpudata, out.gpudata
        if len(x):  # a grid cannot be empty
            softmax.prepared_async_call(grid, block, case.stream, columns, *arrays, shared_size=shared_bytes)

    return run
