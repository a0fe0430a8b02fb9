"""CUDA C, one thread per element, compiled ahead, launched through PyCUDA's prepared call."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("squared_difference_mixed.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("squared_difference_mixed.cu"))
    squared_difference = module.get_function(f"squared_difference_mixed_{case.dtype}").prepare("qPPP")
    grid, block = (case.blocks(), 1), (case.block_size, 1, 1)

    def run(x, y, out):
        squared_difference.prepared_async_call(grid, block, case.stream, case.size, x.gpudata, y.gpudata, out.gpudata)

    return run
