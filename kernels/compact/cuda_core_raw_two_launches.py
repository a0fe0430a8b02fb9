"""CUDA C in two launches through cuda.core: each block counts what it keeps of its part, then moves it."""

import numpy as np
from cuda.core import Device, LaunchConfig, ObjectCode, launch
from cuda.core.utils import StridedMemoryView

PARAMETERS = ("block_size",)
SOURCES = ("compact_two_launches.cu",)
BLOCKS = 2048  # at most: each adds up the counts of all blocks before it
EACH = 8  # as in compact_two_launches.cu


def prepare(case):
    module = ObjectCode.from_fatbin(case.artifact("compact_two_launches.cu"))
    count, move = (module.get_kernel(f"compact_{step}_{case.dtype}") for step in ("count", "move"))
    stream, block, tiles_per_block = case.stream, case.block_size, case.blocks(EACH * BLOCKS)
    blocks, items = case.blocks(EACH * tiles_per_block), np.int64(tiles_per_block * block * EACH)
    one_each, shared_bytes = block * 8, block * (EACH + 1) * 4
    counting, moving = (LaunchConfig(grid=blocks, block=block, shmem_size=each) for each in (one_each, shared_bytes))
    n, (counts, total) = np.int64(case.size), (Device().allocate(8 * many, stream=stream) for many in (blocks, 1))
    total = StridedMemoryView.from_buffer(total, (1,), dtype=np.dtype(np.int64))

    def run(x, out):
        launch(stream, counting, count, n, items, x.ptr, counts)
        launch(stream, moving, move, n, items, x.ptr, counts, out.ptr, total.ptr)
        return total

    run.kernel, run.shared_bytes = move, shared_bytes
    return run
