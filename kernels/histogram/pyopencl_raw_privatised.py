"""OpenCL C, a histogram per work-group in local memory, which it adds to the whole one."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("histogram_privatised.cl",)
RESIDENT = 2048  # work-items per compute unit: all of a GPU's are there at once, and each has much to count


def prepare(case):
    histogram = cl.Kernel(case.artifact("histogram_privatised.cl"), f"histogram_privatised_{case.dtype}")
    queue, group, bins = case.queue, (case.block_size,), 2 ** int(case.options["bits"])
    if 4 * bins > queue.device.local_mem_size:
        raise NotImplementedError(f"needs {4 * bins} bytes of local memory, more than the device has")
    most = max(1, RESIDENT // case.block_size) * queue.device.max_compute_units
    work_items, of_group = (min(case.blocks(), most) * case.block_size,), cl.LocalMemory(4 * bins)
    n, zero = np.int64(case.size), np.zeros(1, np.int32)

    def run(x, counts):
        cl.enqueue_fill_buffer(queue, counts.data, zero, 0, counts.nbytes)
        histogram(queue, work_items, group, n, np.int32(bins), x.data, counts.data, of_group)

    return run
