"""CUDA C compiled ahead, launched through cupy.RawModule, one thread per 16 bytes of a row."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("slicing.cu",)


def prepare(case):
    slicing = cp.RawModule(path=case.artifact("slicing.cu")).get_function(f"slicing_{case.dtype}")
    rows, columns, block = -(-case.size // 3), case.size, case.block_size
    each = 16 // np.dtype(case.dtype).itemsize
    grid = max(1, -(-columns // (block * each))), max(1, rows)
    lengths = np.int64(rows), np.int64(columns)

    def run(x, out):
        slicing(grid, (block,), (*lengths, x, out))

    run.kernel = slicing
    return run
