"""CUDA C in two launches through cuda.core: each block adds up its part, then scans it from the sum before it."""

import numpy as np
from cuda.core import Device, LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("cumsum_two_launches.cu",)
BLOCKS = 2048  # at most: each adds up the sums of all before it


def prepare(case):
    module, stream, size = ObjectCode.from_fatbin(case.artifact("cumsum_two_launches.cu")), case.stream, case.itemsize
    add_up, scan = (module.get_kernel(f"cumsum_{step}_{case.dtype}") for step in ("add_up", "scan"))
    each = 32 // size  # as in cumsum_two_launches.cu
    tiles_per_block = case.blocks(each * BLOCKS)
    blocks, items = case.blocks(each * tiles_per_block), tiles_per_block * case.block_size * each
    one_each, shared_bytes = (case.block_size * cells * size for cells in (1, each + 1))
    adding, scanning = (
        LaunchConfig(grid=blocks, block=case.block_size, shmem_size=nbytes) for nbytes in (one_each, shared_bytes)
    )
    n, items, sums = np.int64(case.size), np.int64(items), Device().allocate(blocks * size, stream=stream)

    def run(x, out):
        launch(stream, adding, add_up, n, items, x.ptr, sums)
        launch(stream, scanning, scan, n, items, x.ptr, sums, out.ptr)

    run.kernel, run.shared_bytes = scan, shared_bytes
    return run
