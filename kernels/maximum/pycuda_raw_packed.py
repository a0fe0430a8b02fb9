"""CUDA C in one launch, 16 bytes a load, compiled ahead of time, through PyCUDA."""

import numpy as np
import pycuda.driver as cuda
from pycuda import gpuarray

PARAMETERS = ("block_size",)
SOURCES = ("maximum_packed.cu",)
ITEMS = 8  # per thread at least
THREADS = 2048  # per multiprocessor at most: all are resident at once, and each has much to compare


def prepare(case):
    module = cuda.module_from_file(case.artifact("maximum_packed.cu"))
    maximum = module.get_function(f"maximum_{case.dtype}").prepare("qPPPP")
    most = THREADS // case.block_size * cuda.Context.get_device().multiprocessor_count
    blocks = min(case.blocks(ITEMS), most)
    maxima, largest = gpuarray.empty(blocks, case.dtype), gpuarray.empty((), case.dtype)
    finished = gpuarray.to_gpu(np.zeros(1, np.uint32))
    scratch = maxima.gpudata, finished.gpudata, largest.gpudata
    grid, block, shared_bytes = (blocks, 1), (case.block_size, 1, 1), case.block_size * maxima.dtype.itemsize

    def run(x):
        maximum.prepared_async_call(grid, block, case.stream, case.size, x.gpudata, *scratch, shared_size=shared_bytes)
        return largest

    return run
