"""CUDA C through cuda.core, tiled in shared memory and registers, moving vectors of 16 bytes."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("matmul_register_tiled.cu",)
EXTENTS = (8, 16)  # these and the next as in matmul_register_tiled.cu: rows and columns per thread
EACH = {"float64": 4, "float32": 8}


def prepare(case):
    bx, by = case.block_size
    if bx not in EXTENTS or by not in EXTENTS:
        raise NotImplementedError(f"no tile of {bx}x{by} threads is compiled: extents are {EXTENTS}")
    aligned = case.size * case.itemsize % 16 == 0
    module = ObjectCode.from_fatbin(case.artifact("matmul_register_tiled.cu"))
    matmul = module.get_kernel(f"matmul_register_tiled_{bx}x{by}_{case.dtype}" + ("" if aligned else "_unaligned"))
    config, n = LaunchConfig(grid=case.blocks(EACH[case.dtype]), block=(bx, by)), np.int64(case.size)
    return lambda a, b, out: launch(case.stream, config, matmul, n, a.ptr, b.ptr, out.ptr)
