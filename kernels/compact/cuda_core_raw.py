"""CUDA C through cuda.core, one thread per element: flags, their scan block by block, a scatter by its sums."""

import numpy as np
from cuda.core import Device, LaunchConfig, ObjectCode, launch
from cuda.core.utils import StridedMemoryView

PARAMETERS = ("block_size",)
SOURCES = ("compact.cu",)


def prepare(case):
    if case.block_size == 1:
        raise NotImplementedError("blocks of one thread leave as many sums as there are elements")
    module, stream, block = ObjectCode.from_fatbin(case.artifact("compact.cu")), case.stream, case.block_size
    names = f"flag_{case.dtype}", "scan", "add", f"scatter_{case.dtype}"
    flag, scan, add, scatter = (module.get_kernel(name) for name in names)
    blocks = [case.blocks()]  # each leaves a sum; blocks add up these sums in turn
    while blocks[-1] > 1:
        blocks.append(case.blocks(n=blocks[-1]))
    kept, count, *levels = (Device().allocate(8 * n, stream=stream) for n in (max(case.size, 1), 1, *blocks))
    count = StridedMemoryView.from_buffer(count, (1,), dtype=np.dtype(np.int64))
    n, shared_bytes = np.int64(case.size), 8 * block
    scanning = [LaunchConfig(grid=grid, block=block, shmem_size=shared_bytes) for grid in blocks]
    plain = [LaunchConfig(grid=grid, block=block) for grid in blocks]

    def sum_up(counts, length, level=0):
        sums, length = levels[level], np.int64(length)
        launch(stream, scanning[level], scan, length, counts, sums)
        if blocks[level] > 1:
            sum_up(sums, blocks[level], level + 1)
            launch(stream, plain[level], add, length, counts, sums)

    def run(x, out):
        launch(stream, plain[0], flag, n, x.ptr, kept)
        sum_up(kept, case.size)
        launch(stream, plain[0], scatter, n, x.ptr, kept, out.ptr, count.ptr)
        return count

    return run
