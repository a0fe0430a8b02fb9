"""PyOpenCL processes the vector in chunks, in several queues."""

import math
from itertools import cycle

import numpy as np
import pyopencl as cl

PARAMETERS = {"queues": (2, 3, 4), "chunks": (4, 12, 48)}
SOURCES = ("copy_overlap.cl",)
BLOCK = 256


def pinned(queue, size, dtype):
    """Return an array in page-locked host memory, which stays mapped as long as the array exists."""
    flags, access = cl.mem_flags.READ_WRITE | cl.mem_flags.ALLOC_HOST_PTR, cl.map_flags.READ | cl.map_flags.WRITE
    buffer = cl.Buffer(queue.context, flags, max(1, size) * np.dtype(dtype).itemsize)
    return cl.enqueue_map_buffer(queue, buffer, access, 0, max(1, size), dtype)[0][:size]


def convert(x, queue):
    host = pinned(queue, x.size, x.dtype)
    host[:] = x
    return (host,)


def prepare(case):
    context, itemsize = case.queue.context, case.itemsize
    twice = cl.Kernel(case.artifact("copy_overlap.cl"), f"copy_overlap_{case.dtype}")
    host = pinned(case.queue, case.size, case.dtype)
    queues = [cl.CommandQueue(context, case.queue.device) for _ in range(case.queues)]
    length = max(1, math.ceil(case.size / case.chunks))
    chunks = [slice(start, min(start + length, case.size)) for start in range(0, case.size, length)]
    parts = [cl.Buffer(context, cl.mem_flags.READ_WRITE, length * itemsize) for _ in chunks]
    items = ((length // BLOCK + 1) * BLOCK,)

    def run(x, out):
        # idea: while one chunk is computed, others are copied
        for chunk, part, queue in zip(chunks, parts, cycle(queues)):
            cl.enqueue_copy(queue, part, x[chunk], is_blocking=False)
            twice(queue, items, (BLOCK,), np.int64(chunk.stop - chunk.start), part)
            cl.enqueue_copy(queue, host[chunk], part, is_blocking=False)
            queue.flush()
        # end of idea
        for queue in queues:
            queue.finish()
        return host

    return run
