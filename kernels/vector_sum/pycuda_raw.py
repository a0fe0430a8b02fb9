"""CUDA C in two launches by PyCUDA: a shared-memory tree per block, then a tree of the blocks' sums."""

from pycuda import driver, gpuarray

PARAMETERS = ("block_size",)
SOURCES = ("vector_sum.cu",)
BLOCKS = 1024  # maximum number of blocks, and of sums for the second launch


def prepare(case):
    module = driver.module_from_file(case.artifact("vector_sum.cu"))
    vector_sum = module.get_function(f"vector_sum_{case.dtype}").prepare("qPP")
    blocks, block, shared_bytes = min(case.blocks(), BLOCKS), (case.block_size, 1, 1), case.block_size * case.itemsize
    sums, total = gpuarray.empty(blocks, case.dtype), gpuarray.empty((), case.dtype)

    def run(x):
        launch, stream = vector_sum.prepared_async_call, case.stream
        launch((blocks, 1), block, stream, case.size, x.gpudata, sums.gpudata, shared_size=shared_bytes)
        launch((1, 1), block, stream, blocks, sums.gpudata, total.gpudata, shared_size=shared_bytes)
        return total

    return run
