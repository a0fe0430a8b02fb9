"""CUDA C, one block per row, compiled ahead of time, through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("sum_of_products.cu",)


def prepare(case):
    module, shape = cp.RawModule(path=case.artifact("sum_of_products.cu")), (case.size, case.options["columns"])
    sum_of_products = module.get_function(f"sum_of_products_{case.dtype}")
    grid, block, shared_bytes = (max(1, case.size),), (case.block_size,), case.block_size * case.itemsize
    return lambda x, y, out: sum_of_products(grid, block, (*shape, x, y, out), shared_mem=shared_bytes)
