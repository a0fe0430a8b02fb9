"""A copy by the OpenCL library: enqueue_copy between two buffers."""

import pyopencl as cl


def run(x, out):
    if x.size:  # OpenCL refuses to copy 0 bytes
        cl.enqueue_copy(x.queue, out.data, x.data, byte_count=x.nbytes)
