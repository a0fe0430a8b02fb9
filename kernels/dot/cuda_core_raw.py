"""CUDA C in two launches, a shared-memory tree per block, then one over their sums, through cuda.core."""

import numpy as np
from cuda.core import Device, LaunchConfig, ObjectCode, launch
from cuda.core.utils import StridedMemoryView

PARAMETERS = ("block_size",)
SOURCES = ("dot.cu",)
BLOCKS = 1024  # at most: each has much to add up, and the second launch little


def prepare(case):
    module = ObjectCode.from_fatbin(case.artifact("dot.cu"))
    dot, add_up = (module.get_kernel(f"{name}_{case.dtype}") for name in ("dot", "add_up"))
    blocks, stream, dtype = min(case.blocks(), BLOCKS), case.stream, np.dtype(case.dtype)
    shared_bytes = case.block_size * dtype.itemsize
    all_blocks, one = (LaunchConfig(grid=n, block=case.block_size, shmem_size=shared_bytes) for n in (blocks, 1))
    sums, product = (Device().allocate(n * dtype.itemsize, stream=stream) for n in (blocks, 1))
    product = StridedMemoryView.from_buffer(product, (1,), dtype=dtype)

    def run(x, y):
        launch(stream, all_blocks, dot, np.int64(case.size), x.ptr, y.ptr, sums)
        launch(stream, one, add_up, np.int64(blocks), sums, product.ptr)
        return product

    run.shared_bytes = shared_bytes
    return run
