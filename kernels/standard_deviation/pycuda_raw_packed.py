"""CUDA C in one launch and one pass, shifted by the first element, 16 bytes a load, through PyCUDA."""

import numpy as np
import pycuda.driver as cuda
from pycuda import gpuarray

PARAMETERS = ("block_size",)
SOURCES = ("standard_deviation_packed.cu",)
ITEMS = 8  # per thread at least
THREADS = 2048  # per multiprocessor at most: all are resident at once, and each has much to add up


def prepare(case):
    module = cuda.module_from_file(case.artifact("standard_deviation_packed.cu"))
    deviation = module.get_function(f"standard_deviation_{case.dtype}").prepare("qPPPP")
    most = THREADS // case.block_size * cuda.Context.get_device().multiprocessor_count
    blocks = min(case.blocks(ITEMS), most)
    sums, result = gpuarray.empty((blocks, 2), np.float64), gpuarray.empty((), case.dtype)
    finished = gpuarray.to_gpu(np.zeros(1, np.uint32))
    scratch = sums.gpudata, finished.gpudata, result.gpudata
    shared_bytes = 2 * case.block_size * sums.dtype.itemsize

    def run(x):
        deviation.prepared_async_call(
            (blocks, 1), (case.block_size, 1, 1), case.stream, case.size, x.gpudata, *scratch, shared_size=shared_bytes
        )
        return result

    return run
