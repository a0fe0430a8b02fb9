"""CUDA C, one block per row, compiled ahead of time, through cupy.RawModule."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("sum_of_products.cu",)


def prepare(case):
    sum_of_products = cp.RawModule(path=case.artifact("sum_of_products.cu")).get_function(
        f"sum_of_products_{case.dtype}"
    )
    grid, block = (max(1, case.size),), (case.block_size,)
    shape = np.int64(case.size), np.int64(case.options["columns"])
    shared_bytes = case.block_size * np.dtype(case.dtype).itemsize

    def run(x, y, out):
        sum_of_products(grid, block, (*shape, x, y, out), shared_mem=shared_bytes)

    run.kernel, run.shared_bytes = sum_of_products, shared_bytes
    return run
