"""CUDA C in one launch, compiled ahead of time, through PyCUDA."""

import numpy as np
import pycuda.driver as cuda
from pycuda import gpuarray

PARAMETERS = ("block_size",)
SOURCES = ("monte_carlo_pi_one_launch.cu",)
THREADS = 2048  # per multiprocessor: as many as it holds


def prepare(case):
    module = cuda.module_from_file(case.artifact("monte_carlo_pi_one_launch.cu"))
    kernel = module.get_function(f"monte_carlo_pi_{case.dtype}").prepare("qQPPP")
    most = max(1, THREADS // case.block_size) * cuda.Context.get_device().multiprocessor_count
    grid, block, shared_bytes = (min(case.blocks(), most), 1), (case.block_size, 1, 1), 4 * case.block_size
    hits, finished = gpuarray.to_gpu(np.zeros(1, np.uint64)), gpuarray.to_gpu(np.zeros(1, np.uint32))
    pi = gpuarray.empty((), np.float64)
    memory = hits.gpudata, finished.gpudata, pi.gpudata

    def run(n, seed):
        kernel.prepared_async_call(grid, block, case.stream, int(n), int(seed), *memory, shared_size=shared_bytes)
        return pi

    return run
