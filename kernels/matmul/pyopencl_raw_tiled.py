"""OpenCL C, one work-item per element of the product, strips of both matrices in local memory."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("matmul.cl",)
DEPTH = 32  # as in matmul.cl


def prepare(case):
    matmul = cl.Kernel(case.artifact("matmul.cl"), f"matmul_tiled_{case.dtype}")
    block = case.block_size
    work_items = tuple(max(1, -(-case.size // extent)) * extent for extent in block)
    bx_bytes, by_bytes = (DEPTH * extent * case.itemsize for extent in block)
    if bx_bytes + by_bytes > case.queue.device.local_mem_size:
        raise NotImplementedError(f"needs {bx_bytes + by_bytes} bytes of local memory, more than the device has")
    n, a_strip, b_strip = np.int64(case.size), cl.LocalMemory(by_bytes), cl.LocalMemory(bx_bytes)

    def run(a, b, out):
        matmul(a.queue, work_items, block, n, a.data, b.data, out.data, a_strip, b_strip)

    return run
