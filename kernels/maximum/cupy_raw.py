"""CUDA C in one launch, compiled ahead of time, through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("maximum.cu",)
ITEMS = 8  # per thread at least
THREADS = 2048  # per multiprocessor at most: all are resident at once, and each has much to compare


def prepare(case):
    maximum = cp.RawModule(path=case.artifact("maximum.cu")).get_function(f"maximum_{case.dtype}")
    most = THREADS // case.block_size * cp.cuda.Device().attributes["MultiProcessorCount"]
    blocks = max(1, min(-(-case.size // (ITEMS * case.block_size)), most))
    maxima, largest = cp.empty(blocks, case.dtype), cp.empty((), case.dtype)
    finished = cp.zeros(1, "uint32")
    shared_bytes = case.block_size * maxima.itemsize

    def run(x):
        maximum((blocks,), (case.block_size,), (case.size, x, maxima, finished, largest), shared_mem=shared_bytes)
        return largest

    run.kernel, run.shared_bytes = maximum, shared_bytes
    return run
