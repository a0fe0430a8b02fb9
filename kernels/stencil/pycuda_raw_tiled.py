"""CUDA C through PyCUDA's prepared call, one thread per point, a tile and its rim in shared memory."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("stencil_tiled.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("stencil_tiled.cu"))
    stencil = module.get_function(f"stencil_tiled_{case.dtype}").prepare("qPP")
    (bx, by), n, stream = case.block_size, case.size, case.stream
    grid = max(1, -(-n // bx)), max(1, -(-n // by))
    tile = (bx + 2) * (by + 2) * case.itemsize

    def run(x, out):
        stencil.prepared_async_call(grid, (bx, by, 1), stream, n, x.gpudata, out.gpudata, shared_size=tile)

    run.kernel, run.shared_bytes = stencil, tile
    return run
