"""CUDA C, one thread per 16 bytes, compiled ahead, launched through PyCUDA's prepared call."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("fill_packed.cu",)


def prepare(case):
    fill = driver.module_from_file(case.artifact("fill_packed.cu")).get_function(f"fill_{case.dtype}").prepare("qP")
    grid, block = (case.blocks(16 // case.itemsize), 1), (case.block_size, 1, 1)
    return lambda out: fill.prepared_async_call(grid, block, case.stream, case.size, out.gpudata)
