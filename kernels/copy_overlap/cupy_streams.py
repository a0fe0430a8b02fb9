"""CuPy processes the vector in chunks, in several streams."""

import math
from itertools import cycle

import cupy as cp
import cupyx

PARAMETERS = {"streams": (2, 3, 4), "chunks": (4, 12, 48)}


def convert(x):
    pinned = cupyx.empty_pinned(x.shape, x.dtype)
    pinned[:] = x
    return (pinned,)


def prepare(case):
    there, pinned = cp.empty(case.size, case.dtype), cupyx.empty_pinned(case.size, case.dtype)
    streams = [cp.cuda.Stream(non_blocking=True) for _ in range(case.streams)]
    length = max(1, math.ceil(case.size / case.chunks))
    chunks = [slice(start, start + length) for start in range(0, case.size, length)]

    def run(x, out):
        # idea: while one chunk is computed, others are copied
        for chunk, stream in zip(chunks, cycle(streams)):
            part = there[chunk]
            with stream:
                part.set(x[chunk], stream)
                cp.multiply(part, 2, out=part)
                part.get(stream, out=pinned[chunk], blocking=False)
        # end of idea
        for stream in streams:
            stream.synchronize()
        return pinned

    return run
