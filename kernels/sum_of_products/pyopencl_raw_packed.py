"""OpenCL C, one work-group per row, 16 bytes a load: each work-item adds up its part, a local tree their sums."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("sum_of_products_packed.cl",)


def prepare(case):
    sum_of_products = cl.Kernel(case.artifact("sum_of_products_packed.cl"), f"sum_of_products_{case.dtype}")
    block, work_items = (case.block_size,), (case.size * case.block_size,)
    columns = np.int64(case.options["columns"])
    shared = cl.LocalMemory(case.block_size * case.itemsize)

    def run(x, y, out):
        if len(x):  # OpenCL launches no empty grid
            sum_of_products(x.queue, work_items, block, columns, x.data, y.data, out.data, shared)

    return run
