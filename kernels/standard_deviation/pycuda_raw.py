"""CUDA C in two passes, each a shared-memory tree per block, then one over their sums, through PyCUDA."""

from pycuda import driver, gpuarray

PARAMETERS = ("block_size",)
SOURCES = ("standard_deviation.cu",)
BLOCKS = 1024  # at most: each has much to add up, and the second launch little


def prepare(case):
    module = driver.module_from_file(case.artifact("standard_deviation.cu"))
    add_up = module.get_function(f"add_up_{case.dtype}").prepare("qPPiP")
    average = module.get_function(f"average_{case.dtype}").prepare("qqPPP")
    n, blocks, block, stream = case.size, min(case.blocks(), BLOCKS), (case.block_size, 1, 1), case.stream
    sums, mean = gpuarray.empty(blocks, "float64"), gpuarray.empty(1, "float64")
    deviation, shared_bytes = gpuarray.empty((), case.dtype), 8 * case.block_size

    def run(x):
        for squared in (0, 1):
            arguments = n, x.gpudata, mean.gpudata, squared, sums.gpudata
            add_up.prepared_async_call((blocks, 1), block, stream, *arguments, shared_size=shared_bytes)
            arguments = n, blocks, sums.gpudata, mean.gpudata, deviation.gpudata
            average.prepared_async_call((1, 1), block, stream, *arguments, shared_size=shared_bytes)
        return deviation

    return run
