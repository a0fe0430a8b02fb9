"""OpenCL C for a bitonic network, with one launch per step."""

import numpy as np
import pyopencl as cl

ALGORITHM = "bitonic network"
PARAMETERS = ("block_size",)
SOURCES = ("sort.cl",)


def prepare(case):
    sort_step = cl.Kernel(case.artifact("sort.cl"), f"sort_step_{case.dtype}")
    rounds = max(1, (case.size - 1).bit_length())
    n, group, work_items = (
        np.int64(case.size),
        (case.block_size,),
        (case.blocks(n=2 ** (rounds - 1)) * case.block_size,),
    )

    def run(x, out):
        given = x.data
        for size in range(rounds):
            for stride in range(size, -1, -1):
                steps = np.int64(2**stride), np.int32(stride == size)
                sort_step(out.queue, work_items, group, n, *steps, given, out.data)
                given = out.data

    return run
