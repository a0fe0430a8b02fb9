"""CUDA C through PyCUDA's prepared call, one thread per point, a tile and its rim in shared memory."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("stencil_tiled.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("stencil_tiled.cu"))
    stencil = module.get_function(f"stencil_tiled_{case.dtype}").prepare("qPP")
    (bx, by), n, stream, grid = case.block_size, case.size, case.stream, case.blocks()
    block, shared_bytes = (bx, by, 1), (bx + 2) * (by + 2) * case.itemsize

    def run(x, out):
        stencil.prepared_async_call(grid, block, stream, n, x.gpudata, out.gpudata, shared_size=shared_bytes)

    return run
