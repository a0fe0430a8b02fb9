"""CUDA C in a string, compiled by PyCUDA at run time: one block with a shared-memory tree per row."""

from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)
SOURCE = """
__global__ void l2norm(long long columns, const Real *x, Real *out)
{
    extern __shared__ Real shared[];
    const Real *row = x + blockIdx.x * columns;
    Real mine = 0;
    for (long long j = threadIdx.x; j < columns; j += blockDim.x)
        mine += row[j] * row[j];
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1; active = (active + 1) / 2) {
        __syncthreads();
        if (threadIdx.x < active / 2)
            shared[threadIdx.x] += shared[threadIdx.x + (active + 1) / 2];
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = sqrt(shared[0]);
}
"""


def prepare(case):
    l2norm = SourceModule(SOURCE, options=[f"-DReal={case.ctype}"]).get_function("l2norm").prepare("qPP")
    grid, block, columns = (case.size, 1), (case.block_size, 1, 1), case.options["columns"]
    shared_bytes = case.block_size * case.itemsize

    def run(x, out):
        arrays = x.gpudata, out.gpudata
        if len(x):  # a grid cannot be empty
            l2norm.prepared_async_call(grid, block, case.stream, columns, *arrays, shared_size=shared_bytes)

    return run
