"""CUDA C in two launches, a shared-memory tree per block, then one over their maxima, through PyCUDA."""

from pycuda import driver, gpuarray

PARAMETERS = ("block_size",)
SOURCES = ("maximum.cu",)
BLOCKS = 1024  # at most: each has much to compare, and the second launch little


def prepare(case):
    maximum = driver.module_from_file(case.artifact("maximum.cu")).get_function(f"maximum_{case.dtype}").prepare("qPP")
    blocks, block, shared_bytes = min(case.blocks(), BLOCKS), (case.block_size, 1, 1), case.block_size * case.itemsize
    maxima, largest = gpuarray.empty(blocks, case.dtype), gpuarray.empty((), case.dtype)

    def run(x):
        launch, stream = maximum.prepared_async_call, case.stream
        launch((blocks, 1), block, stream, case.size, x.gpudata, maxima.gpudata, shared_size=shared_bytes)
        launch((1, 1), block, stream, blocks, maxima.gpudata, largest.gpudata, shared_size=shared_bytes)
        return largest

    return run
