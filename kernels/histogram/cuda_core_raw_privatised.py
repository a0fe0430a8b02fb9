"""CUDA C through cuda.core, a histogram per block in shared memory, which it adds to the whole one."""

import numpy as np
from cuda.core import Device, LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("histogram_privatised.cu",)
THREADS = 2048  # per multiprocessor at most: all are resident at once, and each has much to count
SHARED_MEMORY = 48 * 1024  # bytes that any kernel may have


def prepare(case):
    bins, stream, block = 2 ** int(case.options["bits"]), case.stream, case.block_size
    shared_bytes = 4 * bins
    if shared_bytes > SHARED_MEMORY:
        raise NotImplementedError(f"needs {shared_bytes} bytes of shared memory, more than {SHARED_MEMORY}")
    module = ObjectCode.from_fatbin(case.artifact("histogram_privatised.cu"))
    histogram = module.get_kernel(f"histogram_privatised_{case.dtype}")
    blocks = min(case.blocks(), THREADS // block * Device().properties.multiprocessor_count)
    config, n = LaunchConfig(grid=blocks, block=block, shmem_size=shared_bytes), np.int64(case.size)

    def run(x, counts):
        counts.exporting_obj.fill(0, stream=stream)
        launch(stream, config, histogram, n, np.int32(bins), x.ptr, counts.ptr)

    run.shared_bytes = shared_bytes
    return run
