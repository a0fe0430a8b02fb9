"""CUDA C, one thread per element, compiled ahead, launched through PyCUDA's prepared call."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("fill.cu",)


def prepare(case):
    fill = driver.module_from_file(case.artifact("fill.cu")).get_function(f"fill_{case.dtype}").prepare("qP")
    grid, block = (case.blocks(), 1), (case.block_size, 1, 1)
    return lambda out: fill.prepared_async_call(grid, block, case.stream, case.size, out.gpudata)
