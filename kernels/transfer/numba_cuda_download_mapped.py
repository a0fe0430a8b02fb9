"""A Numba kernel that writes into the host's pinned memory over the bus."""

import numpy as np
from numba import cuda

PARAMETERS = ("block_size",)


@cuda.jit
def transfer(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i]


def convert(x):
    return (cuda.to_device(x),)


def prepare(case):
    size, stream = case.size, case.stream
    mapped = cuda.mapped_array(max(1, size), case.dtype, stream=stream)  # 0 bytes cannot be allocated
    host = np.asarray(mapped)[:size]
    launch = transfer[case.blocks(), case.block_size, stream]

    def run(x, out):
        launch(x, mapped)
        stream.synchronize()
        return host

    return run
