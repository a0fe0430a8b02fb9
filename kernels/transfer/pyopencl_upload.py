"""pyopencl.array.Array.set: from pageable memory to a preallocated array on the device."""

import pyopencl.array


def prepare(case):
    there = pyopencl.array.empty(case.queue, case.size, case.dtype)

    def run(x, out):
        there.set(x)
        return there

    return run
