"""OpenCL C, through a tile in local memory, whose columns share their banks."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("transpose_tiled.cl",)


def prepare(case):
    (bx, by), (tiles, _) = case.block_size, case.blocks()
    width = bx
    local_bytes = bx * width * case.itemsize
    if local_bytes > case.queue.device.local_mem_size:
        raise NotImplementedError(f"needs {local_bytes} bytes of local memory, more than the device has")
    transpose = cl.Kernel(case.artifact("transpose_tiled.cl"), f"transpose_tiled_{case.dtype}")
    work_items, n, tile = (tiles * bx, tiles * by), np.int64(case.size), cl.LocalMemory(local_bytes)

    def run(x, out):
        transpose(x.queue, work_items, (bx, by), n, x.data, out.data, np.int32(width), tile)

    return run
