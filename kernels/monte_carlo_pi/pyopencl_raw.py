"""OpenCL C: a grid-stride loop per work-item, hits summed in local memory, then over the groups."""

import numpy as np
import pyopencl as cl
import pyopencl.array

PARAMETERS = ("block_size",)
SOURCES = ("monte_carlo_pi.cl",)
POINTS = 64  # per work-item, more where there would be too many groups
MOST_GROUPS = 8192  # enough to fill a large GPU at the smallest block size that is of use


def prepare(case):
    if not case.queue.device.double_fp_config:
        raise NotImplementedError("the estimate is a float64, which this device does not have")
    program = case.artifact("monte_carlo_pi.cl")
    count = cl.Kernel(program, f"monte_carlo_pi_{case.dtype}")
    estimate = cl.Kernel(program, "estimate")
    local = cl.LocalMemory(8 * case.block_size)
    hits = cl.array.empty(case.queue, MOST_GROUPS, np.int64)
    pi = cl.array.empty(case.queue, (), np.float64)

    def run(n, seed):
        groups = min(max(1, -(-int(n) // (case.block_size * POINTS))), MOST_GROUPS)
        items = (groups * case.block_size,)
        block = (case.block_size,)
        count(case.queue, items, block, n, seed, hits.data, local)
        estimate(case.queue, block, block, n, np.int32(groups), hits.data, local, pi.data)
        return pi

    return run
