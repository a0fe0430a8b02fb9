"""CUDA C, tiled in shared memory, four elements of a column per thread, compiled ahead, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("matmul_tiled.cu",)
EACH, EXTENTS = 4, (8, 16, 32)  # as in matmul_tiled.cu


def prepare(case):
    bx, by = case.block_size
    if bx not in EXTENTS or by not in EXTENTS:
        raise NotImplementedError(f"no tile of {bx}x{by} threads is compiled: extents are {EXTENTS}")
    module = ObjectCode.from_fatbin(case.artifact("matmul_tiled.cu"))
    matmul = module.get_kernel(f"matmul_tiled_{bx}x{by}_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks((1, EACH)), block=(bx, by)), np.int64(case.size)
    return lambda a, b, out: launch(case.stream, config, matmul, n, a.ptr, b.ptr, out.ptr)
