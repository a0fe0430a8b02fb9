"""CUDA C through cuda.core, through a tile in shared memory, whose columns share their banks."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("transpose_tiled.cu",)
SHARED_MEMORY = 48 * 1024  # bytes that any kernel may have


def prepare(case):
    (bx, by), (tiles, _), n = case.block_size, case.blocks(), np.int64(case.size)
    width = bx
    shared_bytes = bx * width * case.itemsize
    if shared_bytes > SHARED_MEMORY:
        raise NotImplementedError(f"needs {shared_bytes} bytes of shared memory, more than {SHARED_MEMORY}")
    module = ObjectCode.from_fatbin(case.artifact("transpose_tiled.cu"))
    transpose = module.get_kernel(f"transpose_tiled_{case.dtype}")
    config = LaunchConfig(grid=(tiles, tiles), block=(bx, by), shmem_size=shared_bytes)

    def run(x, out):
        launch(case.stream, config, transpose, n, x.ptr, out.ptr, np.int32(width))

    run.shared_bytes = shared_bytes
    return run
