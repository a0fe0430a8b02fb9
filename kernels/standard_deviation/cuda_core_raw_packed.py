"""CUDA C in one launch and one pass, shifted by the first element, 16 bytes a load, through cuda.core."""

import numpy as np
from cuda.core import Device, LaunchConfig, ObjectCode, launch
from cuda.core.utils import StridedMemoryView

PARAMETERS = ("block_size",)
SOURCES = ("standard_deviation_packed.cu",)
ITEMS = 8  # per thread at least
THREADS = 2048  # per multiprocessor at most: all are resident at once, and each has much to add up


def prepare(case):
    module, device = ObjectCode.from_fatbin(case.artifact("standard_deviation_packed.cu")), Device()
    standard_deviation, stream = module.get_kernel(f"standard_deviation_{case.dtype}"), case.stream
    blocks = min(case.blocks(ITEMS), THREADS // case.block_size * device.properties.multiprocessor_count)
    n, shared_bytes = np.int64(case.size), 2 * 8 * case.block_size
    config = LaunchConfig(grid=blocks, block=case.block_size, shmem_size=shared_bytes)
    sums, finished, deviation = (device.allocate(each, stream=stream) for each in (2 * 8 * blocks, 4, case.itemsize))
    finished.fill(0, stream=stream)
    deviation = StridedMemoryView.from_buffer(deviation, (1,), dtype=np.dtype(case.dtype))

    def run(x):
        launch(stream, config, standard_deviation, n, x.ptr, sums, finished, deviation.ptr)
        return deviation

    run.shared_bytes = shared_bytes
    return run
