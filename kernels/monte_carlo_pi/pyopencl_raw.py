"""OpenCL C: a grid-stride loop per work-item. Groups add up hits in local memory; a second kernel computes pi."""

import numpy as np
import pyopencl as cl
import pyopencl.array

PARAMETERS = ("block_size",)
SOURCES = ("monte_carlo_pi.cl",)
POINTS = 64  # minimum number of points per work-item of a CPU
RESIDENT = 2048  # maximum number of work-items that a compute unit of a GPU runs at once
MOST_GROUPS = 8192


def prepare(case):
    if not case.queue.device.double_fp_config:
        raise NotImplementedError("the estimate is a float64, which this device does not support")
    program, queue, group = case.artifact("monte_carlo_pi.cl"), case.queue, (case.block_size,)
    count, estimate = cl.Kernel(program, f"monte_carlo_pi_{case.dtype}"), cl.Kernel(program, "estimate")
    points, most = POINTS, MOST_GROUPS
    if not queue.device.type & cl.device_type.CPU:
        points, most = 1, max(1, RESIDENT // case.block_size) * queue.device.max_compute_units
    groups, local = min(case.blocks(points), most), cl.LocalMemory(8 * case.block_size)
    hits, pi = cl.array.empty(queue, groups, np.int64), cl.array.empty(queue, (), np.float64)

    def run(n, seed):
        count(queue, (groups * case.block_size,), group, n, seed, hits.data, local)
        estimate(queue, group, group, n, np.int32(groups), hits.data, local, pi.data)
        return pi

    return run
