"""OpenCL C, the elements of a work-group's rows fetched in order of memory, their products added up in local memory."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("spmv.cl",)
ELEMENTS = 5  # of the matrix per work-item at a time, as in spmv.cl


def prepare(case):
    spmv = cl.Kernel(case.artifact("spmv.cl"), f"spmv_stream_{case.dtype}")
    rows, group = np.int64(case.size**2), (case.block_size,)
    work_items = (case.blocks(n=rows) * case.block_size,)
    shared_bytes = ELEMENTS * case.block_size * case.itemsize
    if shared_bytes > case.queue.device.local_mem_size:
        raise NotImplementedError(f"needs {shared_bytes} bytes of local memory, more than the device has")
    products = cl.LocalMemory(shared_bytes)

    def run(*arrays):
        spmv(case.queue, work_items, group, rows, *(array.data for array in arrays), products)

    return run
