"""CUDA C for a bitonic network, precompiled. cupy.RawModule launches the kernel once per step."""

import cupy as cp
import numpy as np

ALGORITHM = "bitonic network"
PARAMETERS = ("block_size",)
SOURCES = ("sort.cu",)


def prepare(case):
    sort_step = cp.RawModule(path=case.artifact("sort.cu")).get_function(f"sort_step_{case.dtype}")
    rounds = max(1, (case.size - 1).bit_length())
    grid, block, n = (case.blocks(n=2 ** (rounds - 1)),), (case.block_size,), case.size

    def run(x, out):
        given = x
        for size in range(rounds):
            for stride in range(size, -1, -1):
                sort_step(grid, block, (n, 2**stride, np.int32(stride == size), given, out))
                given = out

    return run
