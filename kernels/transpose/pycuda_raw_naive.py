"""CUDA C through PyCUDA's prepared call, one thread per element: rows are read along, and columns written."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("transpose.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("transpose.cu"))
    transpose = module.get_function(f"transpose_{case.dtype}").prepare("qPP")
    grid, block = case.blocks(), (*case.block_size, 1)
    return lambda x, out: transpose.prepared_async_call(grid, block, case.stream, case.size, x.gpudata, out.gpudata)
