"""CUDA C in two launches, a shared-memory tree per block, then one over their sums, through PyCUDA."""

from pycuda import driver, gpuarray

PARAMETERS = ("block_size",)
SOURCES = ("dot.cu",)
BLOCKS = 1024  # at most: each has much to add up, and the second launch little


def prepare(case):
    module = driver.module_from_file(case.artifact("dot.cu"))
    dot = module.get_function(f"dot_{case.dtype}").prepare("qPPP")
    add_up = module.get_function(f"add_up_{case.dtype}").prepare("qPP")
    blocks, block, shared_bytes = min(case.blocks(), BLOCKS), (case.block_size, 1, 1), case.block_size * case.itemsize
    sums, product = gpuarray.empty(blocks, case.dtype), gpuarray.empty((), case.dtype)

    def run(x, y):
        vectors = x.gpudata, y.gpudata, sums.gpudata
        dot.prepared_async_call((blocks, 1), block, case.stream, case.size, *vectors, shared_size=shared_bytes)
        result = sums.gpudata, product.gpudata
        add_up.prepared_async_call((1, 1), block, case.stream, blocks, *result, shared_size=shared_bytes)
        return product

    return run
