"""CUDA C in one launch, precompiled, launched through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("monte_carlo_pi_one_launch.cu",)
THREADS = 2048  # maximum number of threads that a multiprocessor runs at once


def prepare(case):
    kernel = cp.RawModule(path=case.artifact("monte_carlo_pi_one_launch.cu")).get_function(
        f"monte_carlo_pi_{case.dtype}"
    )
    most = max(1, THREADS // case.block_size) * cp.cuda.Device().attributes["MultiProcessorCount"]
    grid, block, shared_bytes = (min(case.blocks(), most),), (case.block_size,), 4 * case.block_size
    hits, finished, pi = cp.zeros(1, "uint64"), cp.zeros(1, "uint32"), cp.empty((), "float64")

    def run(n, seed):
        kernel(grid, block, (n, seed, hits, finished, pi), shared_mem=shared_bytes)
        return pi

    return run
