"""CUDA C, one thread per element, compiled ahead, launched through PyCUDA's prepared call."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("slicing.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("slicing.cu"))
    slicing = module.get_function(f"slicing_{case.dtype}").prepare("qqPP")
    rows, columns, block = len(range(0, case.size, 3)), case.size, (case.block_size, 1, 1)
    grid = case.blocks(), max(1, rows)
    return lambda x, out: slicing.prepared_async_call(grid, block, case.stream, rows, columns, x.gpudata, out.gpudata)
