"""OpenCL C: a grid-stride loop per work-item, hits summed in local memory, then over the groups."""

import numpy as np
import pyopencl as cl
import pyopencl.array

PARAMETERS = ("block_size",)
SOURCES = ("monte_carlo_pi.cl",)
POINTS = 64  # per work-item of a CPU at least
WARPS = 64  # per compute unit of a GPU: as many as it holds
MOST_GROUPS = 8192


def prepare(case):
    if not case.queue.device.double_fp_config:
        raise NotImplementedError("the estimate is a float64, which this device does not have")
    program = case.artifact("monte_carlo_pi.cl")
    count = cl.Kernel(program, f"monte_carlo_pi_{case.dtype}")
    estimate = cl.Kernel(program, "estimate")
    local = cl.LocalMemory(8 * case.block_size)
    points, most = POINTS, MOST_GROUPS
    if not case.queue.device.type & cl.device_type.CPU:
        points, most = 1, max(1, WARPS // -(-case.block_size // 32)) * case.queue.device.max_compute_units
    hits = cl.array.empty(case.queue, most, np.int64)
    pi = cl.array.empty(case.queue, (), np.float64)

    def run(n, seed):
        groups = min(max(1, -(-int(n) // (case.block_size * points))), most)
        items = (groups * case.block_size,)
        block = (case.block_size,)
        count(case.queue, items, block, n, seed, hits.data, local)
        estimate(case.queue, block, block, n, np.int32(groups), hits.data, local, pi.data)
        return pi

    return run
