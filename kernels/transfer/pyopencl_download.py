"""pyopencl.array.Array.get: from the device to a preallocated NumPy array in pageable memory."""

import pyopencl.array


def convert(x, queue):
    return (pyopencl.array.to_device(queue, x),)


def run(x, out):
    x.get(ary=out)
