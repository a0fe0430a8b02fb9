"""OpenCL C, a bitonic network whose steps within a work-group share a launch."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("sort_fused.cl",)


def prepare(case):
    n, block = np.int64(case.size), case.block_size
    if block & (block - 1):
        raise NotImplementedError("work-groups of a network have a power of two work-items")
    program = case.artifact("sort_fused.cl")
    sort_tile, sort_step = (cl.Kernel(program, f"sort_{part}_{case.dtype}") for part in ("tile", "step"))
    tile_bits, rounds, tile = (
        block.bit_length(),
        (case.size - 1).bit_length(),
        cl.LocalMemory(2 * block * case.itemsize),
    )
    tiles, work_items = (case.blocks(2) * block,), (case.blocks(n=2 ** max(0, rounds - 1)) * block,)

    def run(x, out):
        sort_tile(out.queue, tiles, (block,), n, np.int32(0), x.data, out.data, tile)
        for size in range(tile_bits, rounds):
            for stride in range(size, tile_bits - 1, -1):
                steps = np.int64(2**stride), np.int32(stride == size)
                sort_step(out.queue, work_items, (block,), n, *steps, out.data)
            sort_tile(out.queue, tiles, (block,), n, np.int32(1), out.data, out.data, tile)

    run.kernel = sort_tile
    return run
