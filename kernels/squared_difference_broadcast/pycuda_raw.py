"""CUDA C, one thread per element, compiled ahead, launched through PyCUDA's prepared call."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("squared_difference_broadcast.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("squared_difference_broadcast.cu"))
    squared_difference = module.get_function(f"squared_difference_broadcast_{case.dtype}").prepare("qqPPP")
    columns, stream, block = case.options["columns"], case.stream, (case.block_size, 1, 1)
    n = case.size * columns
    grid = case.blocks(1, n), 1

    def run(x, y, out):
        squared_difference.prepared_async_call(grid, block, stream, n, columns, x.gpudata, y.gpudata, out.gpudata)

    return run
