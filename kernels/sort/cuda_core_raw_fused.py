"""CUDA C, a bitonic network whose steps within a block share a launch, through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("sort_fused.cu",)


def prepare(case):
    size, block, stream = case.size, case.block_size, case.stream
    if block & (block - 1):
        raise NotImplementedError("blocks of a network have a power of two threads")
    module = ObjectCode.from_fatbin(case.artifact("sort_fused.cu"))
    sort_tile, sort_step = (module.get_kernel(f"sort_{part}_{case.dtype}") for part in ("tile", "step"))
    tile_bits, rounds, shared_bytes = block.bit_length(), (size - 1).bit_length(), 2 * block * case.itemsize
    tiles = LaunchConfig(grid=case.blocks(2), block=block, shmem_size=shared_bytes)
    pairs, n = LaunchConfig(grid=case.blocks(n=2 ** max(0, rounds - 1)), block=block), np.int64(size)

    def run(x, out):
        launch(stream, tiles, sort_tile, n, np.int32(0), x.ptr, out.ptr)
        for length in range(tile_bits, rounds):
            for stride in range(length, tile_bits - 1, -1):
                launch(stream, pairs, sort_step, n, np.int64(2**stride), np.int32(stride == length), out.ptr)
            launch(stream, tiles, sort_tile, n, np.int32(1), out.ptr, out.ptr)

    run.kernel, run.shared_bytes = sort_tile, shared_bytes
    return run
