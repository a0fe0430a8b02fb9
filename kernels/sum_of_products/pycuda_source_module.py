"""CUDA C in a string, compiled by PyCUDA at run time: one block with a shared-memory tree per row."""

from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)
SOURCE = """
__global__ void sum_of_products(long long columns, const Real *x, const Real *y, Real *out)
{
    extern __shared__ Real shared[];
    const Real *row_x = x + blockIdx.x * columns, *row_y = y + blockIdx.x * columns;
    Real mine = 0;
    for (long long j = threadIdx.x; j < columns; j += blockDim.x)
        mine += row_x[j] * row_y[j];
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1; active = (active + 1) / 2) {
        __syncthreads();
        if (threadIdx.x < active / 2)
            shared[threadIdx.x] += shared[threadIdx.x + (active + 1) / 2];
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = shared[0];
}
"""


def prepare(case):
    module = SourceModule(SOURCE, options=[f"-DReal={case.ctype}"])
    sum_of_products = module.get_function("sum_of_products").prepare("qPPP")
    grid, block, columns = (case.size, 1), (case.block_size, 1, 1), case.options["columns"]
    shared_bytes = case.block_size * case.itemsize

    def run(x, y, out):
        arrays = x.gpudata, y.gpudata, out.gpudata
        if len(x):  # a grid cannot be empty
            sum_of_products.prepared_async_call(grid, block, case.stream, columns, *arrays, shared_size=shared_bytes)

    return run
