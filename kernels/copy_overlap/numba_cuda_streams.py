"""Numba processes the vector in chunks, in several streams."""

import math
from itertools import cycle

import numpy as np
from numba import cuda

PARAMETERS = {"streams": (2, 3, 4), "chunks": (4, 12, 48)}
BLOCK = 256


@cuda.jit
def twice(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2


def pinned(size, dtype):
    return cuda.pinned_array(size, dtype) if size else np.empty(0, dtype)  # the driver cannot allocate 0 bytes


def convert(x):
    host = pinned(x.size, x.dtype)
    host[:] = x
    return (host,)


def prepare(case):
    there, host = cuda.device_array(case.size, case.dtype), pinned(case.size, case.dtype)
    streams = [cuda.stream() for _ in range(case.streams)]
    length = max(1, math.ceil(case.size / case.chunks))
    chunks = [slice(start, min(start + length, case.size)) for start in range(0, case.size, length)]

    def run(x, out):
        # idea: while one chunk is computed, others are copied
        for chunk, stream in zip(chunks, cycle(streams)):
            part = there[chunk]
            part.copy_to_device(x[chunk], stream=stream)
            twice[length // BLOCK + 1, BLOCK, stream](part)
            part.copy_to_host(host[chunk], stream=stream)
        # end of idea
        for stream in streams:
            stream.synchronize()
        return host

    return run
