"""CUDA C through PyCUDA's prepared call, four points of a column per thread, from registers."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("stencil_register_tiled.cu",)
ROWS = 4  # per thread, as in stencil_register_tiled.cu


def prepare(case):
    module = driver.module_from_file(case.artifact("stencil_register_tiled.cu"))
    stencil = module.get_function(f"stencil_register_tiled_{case.dtype}").prepare("qPP")
    grid, block = case.blocks((1, ROWS)), (*case.block_size, 1)
    return lambda x, out: stencil.prepared_async_call(grid, block, case.stream, case.size, x.gpudata, out.gpudata)
