"""pyopencl.array.Array.get: from the device to memory page-locked by the driver."""

import pyopencl as cl
import pyopencl.array


def convert(x, queue):
    return (pyopencl.array.to_device(queue, x),)


def prepare(case):
    flags, count = cl.mem_flags.READ_WRITE | cl.mem_flags.ALLOC_HOST_PTR, max(1, case.size)
    buffer = cl.Buffer(case.queue.context, flags, count * case.itemsize)
    pinned, _ = cl.enqueue_map_buffer(case.queue, buffer, cl.map_flags.READ, 0, count, case.dtype)
    pinned = pinned[: case.size]
    return lambda x, out: x.get(ary=pinned)
