"""CUDA C in two launches by cuda.core: a shared-memory tree per block, then a tree of the blocks' sums."""

import numpy as np
from cuda.core import Device, LaunchConfig, ObjectCode, launch
from cuda.core.utils import StridedMemoryView

PARAMETERS = ("block_size",)
SOURCES = ("vector_sum.cu",)
BLOCKS = 1024  # maximum number of blocks, and of sums for the second launch


def prepare(case):
    vector_sum = ObjectCode.from_fatbin(case.artifact("vector_sum.cu")).get_kernel(f"vector_sum_{case.dtype}")
    blocks, stream, dtype = min(case.blocks(), BLOCKS), case.stream, np.dtype(case.dtype)
    shared_bytes = case.block_size * dtype.itemsize
    all_blocks, one = (LaunchConfig(grid=n, block=case.block_size, shmem_size=shared_bytes) for n in (blocks, 1))
    sums, total = (Device().allocate(n * dtype.itemsize, stream=stream) for n in (blocks, 1))
    total = StridedMemoryView.from_buffer(total, (1,), dtype=dtype)

    def run(x):
        launch(stream, all_blocks, vector_sum, np.int64(case.size), x.ptr, sums)
        launch(stream, one, vector_sum, np.int64(blocks), sums, total.ptr)
        return total

    run.shared_bytes = shared_bytes
    return run
