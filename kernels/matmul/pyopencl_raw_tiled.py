"""OpenCL C, one work-item per element of the product, strips of both matrices in local memory."""

import numpy as np
import pyopencl as cl

ALGORITHM = "tiles"
PARAMETERS = ("block_size",)
SOURCES = ("matmul_tiled.cl",)
DEPTH = 32  # depth of a strip, as in matmul_tiled.cl


def prepare(case):
    matmul = cl.Kernel(case.artifact("matmul_tiled.cl"), f"matmul_tiled_{case.dtype}")
    group = case.block_size
    work_items = tuple(groups * extent for groups, extent in zip(case.blocks(), group, strict=True))
    bx_bytes, by_bytes = (DEPTH * extent * case.itemsize for extent in group)
    if bx_bytes + by_bytes > case.queue.device.local_mem_size:
        raise NotImplementedError(f"needs {bx_bytes + by_bytes} bytes of local memory, more than the device has")
    n, a_strip, b_strip = np.int64(case.size), cl.LocalMemory(by_bytes), cl.LocalMemory(bx_bytes)

    def run(a, b, out):
        matmul(a.queue, work_items, group, n, a.data, b.data, out.data, a_strip, b_strip)

    return run
