"""CUDA C through cuda.core: each block scans its elements, one a thread; the blocks' sums likewise, then added."""

import numpy as np
from cuda.core import Device, LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("cumsum.cu",)


def prepare(case):
    if case.block_size == 1:
        raise NotImplementedError("blocks of one thread leave as many sums as there are elements")
    module, stream, block = ObjectCode.from_fatbin(case.artifact("cumsum.cu")), case.stream, case.block_size
    scan, add = (module.get_kernel(f"{name}_{case.dtype}") for name in ("scan", "add"))
    shared_bytes = block * case.itemsize
    blocks = [case.blocks()]  # each has a sum, of which blocks make sums in turn
    while blocks[-1] > 1:
        blocks.append(case.blocks(n=blocks[-1]))
    levels = [Device().allocate(n * case.itemsize, stream=stream) for n in blocks]
    scanning = [LaunchConfig(grid=n, block=block, shmem_size=shared_bytes) for n in blocks]
    adding = [LaunchConfig(grid=n, block=block) for n in blocks]

    def run_level(n, x, out, level=0):
        sums, n = levels[level], np.int64(n)
        launch(stream, scanning[level], scan, n, x, out, sums)
        if blocks[level] > 1:
            run_level(blocks[level], sums, sums, level + 1)
            launch(stream, adding[level], add, n, out, sums)

    def run(x, out):
        run_level(case.size, x.ptr, out.ptr)

    run.kernel, run.shared_bytes = scan, shared_bytes
    return run
