"""CUDA C in two passes, each a shared-memory tree per block, then one over their sums, through cuda.core."""

import numpy as np
from cuda.core import Device, LaunchConfig, ObjectCode, launch
from cuda.core.utils import StridedMemoryView

PARAMETERS = ("block_size",)
SOURCES = ("standard_deviation.cu",)
BLOCKS = 1024  # at most: each has much to add up, and the second launch little


def prepare(case):
    module, stream = ObjectCode.from_fatbin(case.artifact("standard_deviation.cu")), case.stream
    add_up, average = (module.get_kernel(f"{stage}_{case.dtype}") for stage in ("add_up", "average"))
    n, blocks, shared_bytes = np.int64(case.size), min(case.blocks(), BLOCKS), 8 * case.block_size
    all_blocks, one = (LaunchConfig(grid=g, block=case.block_size, shmem_size=shared_bytes) for g in (blocks, 1))
    sums, mean, deviation = (Device().allocate(nbytes, stream=stream) for nbytes in (8 * blocks, 8, case.itemsize))
    deviation = StridedMemoryView.from_buffer(deviation, (1,), dtype=np.dtype(case.dtype))

    def run(x):
        for squared in (np.int32(0), np.int32(1)):
            launch(stream, all_blocks, add_up, n, x.ptr, mean, squared, sums)
            launch(stream, one, average, n, np.int64(blocks), sums, mean, deviation.ptr)
        return deviation

    run.shared_bytes = shared_bytes
    return run
