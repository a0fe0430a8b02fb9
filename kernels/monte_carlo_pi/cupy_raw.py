"""CUDA C in one launch, compiled ahead of time, through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("monte_carlo_pi.cu",)
WARPS = 64  # per multiprocessor: as many as it holds


def prepare(case):
    kernel = cp.RawModule(path=case.artifact("monte_carlo_pi.cu")).get_function(f"monte_carlo_pi_{case.dtype}")
    block = case.block_size
    most = max(1, WARPS // -(-block // 32)) * cp.cuda.Device().attributes["MultiProcessorCount"]
    hits, finished, pi = cp.zeros(1, "uint64"), cp.zeros(1, "uint32"), cp.empty((), "float64")
    shared_bytes = 4 * block

    def run(n, seed):
        blocks = max(1, min(-(-int(n) // block), most))
        kernel((blocks,), (block,), (n, seed, hits, finished, pi), shared_mem=shared_bytes)
        return pi

    return run
