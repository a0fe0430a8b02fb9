"""CUDA C, a bitonic network, one launch per step, compiled ahead, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("sort.cu",)


def prepare(case):
    sort_step = ObjectCode.from_fatbin(case.artifact("sort.cu")).get_kernel(f"sort_step_{case.dtype}")
    rounds, n = max(1, (case.size - 1).bit_length()), np.int64(case.size)
    config = LaunchConfig(grid=case.blocks(n=2 ** (rounds - 1)), block=case.block_size)

    def run(x, out):
        given = x.ptr
        for size in range(rounds):
            for stride in range(size, -1, -1):
                step = np.int64(2**stride), np.int32(stride == size)
                launch(case.stream, config, sort_step, n, *step, given, out.ptr)
                given = out.ptr

    return run
