"""OpenCL C, with vectors in registers on a CPU, and with tiles in local memory on a GPU."""

import math

import numpy as np
import pyopencl as cl

SOURCES = ("peak_matmul.cl",)
SIDE, TILE = 16, 64  # side of a work-group and of a tile; peak_matmul.cl has the same numbers
ROWS, COLUMNS_BYTES = 4, 64


def prepare(case):
    cpu = case.queue.device.type & cl.device_type.CPU
    peak_matmul = cl.Kernel(
        case.artifact("peak_matmul.cl"), f"peak_matmul_{'vectors' if cpu else 'tiles'}_{case.dtype}"
    )
    if cpu:
        columns = COLUMNS_BYTES // case.itemsize
        work_items, block = tuple(max(1, math.ceil(case.size / extent)) for extent in (ROWS, columns)), (1, 1)
    else:
        tiles = max(1, math.ceil(case.size / TILE))
        work_items, block = (tiles * SIDE, tiles * SIDE), (SIDE, SIDE)
    if case.queue.device.max_work_group_size < block[0] * block[1]:
        raise NotImplementedError(f"needs work-groups of {SIDE * SIDE}, more than the device allows")
    n = np.int64(case.size)

    def run(a, b, out):
        peak_matmul(a.queue, work_items, block, n, a.data, b.data, out.data)

    return run
