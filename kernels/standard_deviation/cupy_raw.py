"""CUDA C in two passes, each a shared-memory tree per block, then one over their sums, through cupy.RawModule."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("standard_deviation.cu",)
BLOCKS = 1024  # at most: each has much to add up, and the second launch little


def prepare(case):
    module = cp.RawModule(path=case.artifact("standard_deviation.cu"))
    add_up, average = (module.get_function(f"{stage}_{case.dtype}") for stage in ("add_up", "average"))
    n, blocks, block, shared_bytes = case.size, min(case.blocks(), BLOCKS), (case.block_size,), 8 * case.block_size
    sums, mean, deviation = cp.empty(blocks, "float64"), cp.empty(1, "float64"), cp.empty((), case.dtype)

    def run(x):
        for squared in (np.int32(0), np.int32(1)):
            add_up((blocks,), block, (n, x, mean, squared, sums), shared_mem=shared_bytes)
            average((1,), block, (n, blocks, sums, mean, deviation), shared_mem=shared_bytes)
        return deviation

    return run
