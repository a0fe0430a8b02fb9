"""CUDA C through PyCUDA's prepared call, one thread per point, neighbours from global memory and its caches."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("stencil.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("stencil.cu"))
    stencil = module.get_function(f"stencil_{case.dtype}").prepare("qPP")
    grid, block = case.blocks(), (*case.block_size, 1)
    return lambda x, out: stencil.prepared_async_call(grid, block, case.stream, case.size, x.gpudata, out.gpudata)
