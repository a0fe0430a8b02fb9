"""CUDA C through cupy.RawModule, a histogram per block in shared memory, which it adds to the whole one."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("histogram_privatised.cu",)
THREADS = 2048  # per multiprocessor at most: all are resident at once, and each has much to count
SHARED_MEMORY = 48 * 1024  # bytes that any kernel may have


def prepare(case):
    module, shared_bytes = (
        cp.RawModule(path=case.artifact("histogram_privatised.cu")),
        4 * 2 ** int(case.options["bits"]),
    )
    if shared_bytes > SHARED_MEMORY:
        raise NotImplementedError(f"needs {shared_bytes} bytes of shared memory, more than {SHARED_MEMORY}")
    histogram = module.get_function(f"histogram_privatised_{case.dtype}")
    most = THREADS // case.block_size * cp.cuda.Device().attributes["MultiProcessorCount"]
    grid, block = (min(case.blocks(), most),), (case.block_size,)

    def run(x, counts):
        counts.fill(0)
        histogram(grid, block, (case.size, np.int32(counts.size), x, counts), shared_mem=shared_bytes)

    return run
