"""The copy of the OpenCL library: enqueue_copy between two buffers."""

import pyopencl as cl


def run(x, out):
    if x.size:
        cl.enqueue_copy(x.queue, out.data, x.data, byte_count=x.nbytes)
