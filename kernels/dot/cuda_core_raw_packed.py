"""CUDA C in one launch, 16 bytes a load, compiled ahead of time, through cuda.core."""

import numpy as np
from cuda.core import Device, LaunchConfig, ObjectCode, launch
from cuda.core.utils import StridedMemoryView

PARAMETERS = ("block_size",)
SOURCES = ("dot_packed.cu",)
ITEMS = 8  # per thread at least
THREADS = 1536  # per multiprocessor at most: all are resident at once, with 40 registers each, and have much to add up


def prepare(case):
    dot = ObjectCode.from_fatbin(case.artifact("dot_packed.cu")).get_kernel(f"dot_{case.dtype}")
    device, stream, dtype = Device(), case.stream, np.dtype(case.dtype)
    blocks = min(case.blocks(ITEMS), THREADS // case.block_size * device.properties.multiprocessor_count)
    each, shared_bytes = dtype.itemsize, case.block_size * dtype.itemsize
    config = LaunchConfig(grid=blocks, block=case.block_size, shmem_size=shared_bytes)
    sums, finished, product = (device.allocate(n, stream=stream) for n in (blocks * each, 4, each))
    finished.fill(0, stream=stream)
    product = StridedMemoryView.from_buffer(product, (1,), dtype=dtype)

    def run(x, y):
        launch(stream, config, dot, np.int64(case.size), x.ptr, y.ptr, sums, finished, product.ptr)
        return product

    run.shared_bytes = shared_bytes
    return run
