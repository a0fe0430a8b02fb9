"""CUDA C in two launches, a shared-memory tree per block, then one over their maxima, through cuda.core."""

import numpy as np
from cuda.core import Device, LaunchConfig, ObjectCode, launch
from cuda.core.utils import StridedMemoryView

PARAMETERS = ("block_size",)
SOURCES = ("maximum.cu",)
BLOCKS = 1024  # at most: each has much to compare, and the second launch little


def prepare(case):
    maximum = ObjectCode.from_fatbin(case.artifact("maximum.cu")).get_kernel(f"maximum_{case.dtype}")
    blocks, stream, dtype = min(case.blocks(), BLOCKS), case.stream, np.dtype(case.dtype)
    shared_bytes = case.block_size * dtype.itemsize
    all_blocks, one = (LaunchConfig(grid=n, block=case.block_size, shmem_size=shared_bytes) for n in (blocks, 1))
    maxima, largest = (Device().allocate(n * dtype.itemsize, stream=stream) for n in (blocks, 1))
    largest = StridedMemoryView.from_buffer(largest, (1,), dtype=dtype)

    def run(x):
        launch(stream, all_blocks, maximum, np.int64(case.size), x.ptr, maxima)
        launch(stream, one, maximum, np.int64(blocks), maxima, largest.ptr)
        return largest

    run.shared_bytes = shared_bytes
    return run
