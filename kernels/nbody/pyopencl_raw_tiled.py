"""OpenCL C, a work-item a body, the others tile by tile in local memory."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("nbody_tiled.cl",)


def prepare(case):
    nbody = cl.Kernel(case.artifact("nbody_tiled.cl"), f"nbody_tiled_{case.dtype}")
    work_items, group, n = (case.blocks() * case.block_size,), (case.block_size,), np.int64(case.size)
    tile_bytes = 4 * case.block_size * case.itemsize
    if tile_bytes > case.queue.device.local_mem_size:
        raise NotImplementedError(f"needs {tile_bytes} bytes of local memory, more than the device has")
    tile = cl.LocalMemory(tile_bytes)

    def run(position, mass, softening, acceleration):
        nbody(position.queue, work_items, group, n, position.data, mass.data, softening, acceleration.data, tile)

    return run
