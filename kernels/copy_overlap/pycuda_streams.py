"""PyCUDA processes the vector in chunks, in several streams."""

import math
from itertools import cycle

from pycuda import driver, gpuarray
from pycuda.elementwise import ElementwiseKernel

PARAMETERS = {"streams": (2, 3, 4), "chunks": (4, 12, 48)}


def pinned(size, dtype):
    return driver.pagelocked_empty(max(1, size), dtype)[:size]  # the driver cannot allocate 0 bytes


def convert(x):
    host = pinned(x.size, x.dtype)
    host[:] = x
    return (host,)


def prepare(case):
    twice = ElementwiseKernel(f"{case.ctype} *x", "x[i] = 2 * x[i]", "twice")
    there, host = gpuarray.empty(case.size, case.dtype), pinned(case.size, case.dtype)
    streams = [driver.Stream() for _ in range(case.streams)]
    length = max(1, math.ceil(case.size / case.chunks))
    chunks = [slice(start, min(start + length, case.size)) for start in range(0, case.size, length)]

    def run(x, out):
        # idea: while one chunk is computed, others are copied
        for chunk, stream in zip(chunks, cycle(streams)):
            part = there[chunk]
            part.set_async(x[chunk], stream)
            twice(part, stream=stream)
            part.get_async(stream, host[chunk])
        # end of idea
        for stream in streams:
            stream.synchronize()
        return host

    return run
