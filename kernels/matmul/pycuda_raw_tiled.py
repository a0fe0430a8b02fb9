"""CUDA C through PyCUDA's prepared call, tiled in shared memory, four elements of a column per thread."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("matmul_tiled.cu",)
EACH, EXTENTS = 4, (8, 16, 32)  # as in matmul_tiled.cu


def prepare(case):
    bx, by = case.block_size
    if bx not in EXTENTS or by not in EXTENTS:
        raise NotImplementedError(f"no tile of {bx}x{by} threads is compiled: extents are {EXTENTS}")
    module = driver.module_from_file(case.artifact("matmul_tiled.cu"))
    matmul = module.get_function(f"matmul_tiled_{bx}x{by}_{case.dtype}").prepare("qPPP")
    n, stream, grid, block = case.size, case.stream, case.blocks((1, EACH)), (bx, by, 1)
    return lambda a, b, out: matmul.prepared_async_call(grid, block, stream, n, a.gpudata, b.gpudata, out.gpudata)
