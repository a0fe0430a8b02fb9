"""CUDA C in one launch, compiled ahead of time, through PyCUDA."""

import numpy as np
import pycuda.driver as cuda
from pycuda import gpuarray

PARAMETERS = ("block_size",)
SOURCES = ("monte_carlo_pi.cu",)
WARPS = 64  # per multiprocessor: as many as it holds


def prepare(case):
    module = cuda.module_from_file(case.artifact("monte_carlo_pi.cu"))
    kernel = module.get_function(f"monte_carlo_pi_{case.dtype}").prepare("qQPPP")
    block = case.block_size
    most = max(1, WARPS // -(-block // 32)) * cuda.Context.get_device().multiprocessor_count
    hits, finished = gpuarray.to_gpu(np.zeros(1, np.uint64)), gpuarray.to_gpu(np.zeros(1, np.uint32))
    pi = gpuarray.empty((), np.float64)
    counters = hits.gpudata, finished.gpudata
    shared_bytes = 4 * block

    def run(n, seed):
        grid = max(1, min(-(-int(n) // block), most)), 1
        kernel.prepared_async_call(
            grid, (block, 1, 1), case.stream, int(n), int(seed), *counters, pi.gpudata, shared_size=shared_bytes
        )
        return pi

    return run
