"""CUDA C compiled ahead, launched through cupy.RawModule, one thread per 16 bytes of the matrix."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("squared_difference_broadcast.cu",)


def prepare(case):
    module = cp.RawModule(path=case.artifact("squared_difference_broadcast.cu"))
    squared_difference = module.get_function(f"squared_difference_broadcast_{case.dtype}")
    block, columns = case.block_size, np.int64(case.options["columns"])
    n = np.int64(case.size) * columns
    each = 16 // np.dtype(case.dtype).itemsize
    blocks = max(1, int(-(-n // (block * each))))

    def run(x, y, out):
        squared_difference((blocks,), (block,), (n, columns, x, y, out))

    run.kernel = squared_difference
    return run
