"""OpenCL C, one work-item per option."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)
SOURCES = ("black_scholes.cl",)


def prepare(case):
    black_scholes = cl.Kernel(case.artifact("black_scholes.cl"), f"black_scholes_{case.dtype}")
    work_items, group, n = (case.blocks() * case.block_size,), (case.block_size,), np.int64(case.size)

    def run(price, strike, years, rate, volatility, call, put):
        s, x, t, c, p = (array.data for array in (price, strike, years, call, put))
        black_scholes(call.queue, work_items, group, n, s, x, t, rate, volatility, c, p)

    return run
