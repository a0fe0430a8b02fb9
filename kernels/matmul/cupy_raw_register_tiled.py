"""CUDA C through cupy.RawModule, tiled in shared memory and registers, with 16-byte loads and stores."""

import cupy as cp

ALGORITHM = "tiles"
PARAMETERS = ("block_size",)
SOURCES = ("matmul_register_tiled.cu",)
EXTENTS = (8, 16)  # extents of the blocks for which the .cu file defines kernels
EACH = {"float64": 4, "float32": 8}  # rows and columns per thread, as in the .cu file


def prepare(case):
    bx, by = case.block_size
    if bx not in EXTENTS or by not in EXTENTS:
        raise NotImplementedError(f"no tile of {bx}x{by} threads is compiled: extents are {EXTENTS}")
    aligned = case.size * case.itemsize % 16 == 0
    module = cp.RawModule(path=case.artifact("matmul_register_tiled.cu"))
    matmul = module.get_function(f"matmul_register_tiled_{bx}x{by}_{case.dtype}" + ("" if aligned else "_unaligned"))
    grid = case.blocks(EACH[case.dtype])
    return lambda a, b, out: matmul(grid, (bx, by), (case.size, a, b, out))
