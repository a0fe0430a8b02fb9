"""CUDA C, one thread per 16 bytes of the matrix, compiled ahead, launched through PyCUDA's prepared call."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("squared_difference_broadcast_packed.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("squared_difference_broadcast_packed.cu"))
    squared_difference = module.get_function(f"squared_difference_broadcast_{case.dtype}").prepare("qqPPP")
    columns, stream, block = case.options["columns"], case.stream, (case.block_size, 1, 1)
    n = case.size * columns
    grid = case.blocks(16 // case.itemsize, n), 1

    def run(x, y, out):
        squared_difference.prepared_async_call(grid, block, stream, n, columns, x.gpudata, y.gpudata, out.gpudata)

    return run
