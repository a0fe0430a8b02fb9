"""CUDA C in one launch, 16 bytes a load, compiled ahead of time, through PyCUDA."""

import numpy as np
import pycuda.driver as cuda
from pycuda import gpuarray

PARAMETERS = ("block_size",)
SOURCES = ("dot_packed.cu",)
ITEMS = 8  # per thread at least
THREADS = 1536  # per multiprocessor at most: all are resident at once, with 40 registers each, and have much to add up


def prepare(case):
    dot = cuda.module_from_file(case.artifact("dot_packed.cu")).get_function(f"dot_{case.dtype}").prepare("qPPPPP")
    most = THREADS // case.block_size * cuda.Context.get_device().multiprocessor_count
    blocks = min(case.blocks(ITEMS), most)
    sums, product = gpuarray.empty(blocks, case.dtype), gpuarray.empty((), case.dtype)
    finished = gpuarray.to_gpu(np.zeros(1, np.uint32))
    scratch = sums.gpudata, finished.gpudata, product.gpudata
    grid, block, shared_bytes = (blocks, 1), (case.block_size, 1, 1), case.block_size * sums.dtype.itemsize

    def run(x, y):
        vectors = x.gpudata, y.gpudata
        dot.prepared_async_call(grid, block, case.stream, case.size, *vectors, *scratch, shared_size=shared_bytes)
        return product

    return run
