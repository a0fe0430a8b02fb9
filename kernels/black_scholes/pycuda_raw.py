"""CUDA C, one thread per option, compiled ahead, launched through PyCUDA's prepared call."""

import numpy as np
from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("black_scholes.cu",)


def prepare(case):
    module, real = driver.module_from_file(case.artifact("black_scholes.cu")), np.dtype(case.dtype).char
    black_scholes = module.get_function(f"black_scholes_{case.dtype}").prepare(("q", *"PPP", real, real, *"PP"))
    launch = (case.blocks(), 1), (case.block_size, 1, 1), case.stream, case.size

    def run(price, strike, years, rate, volatility, call, put):
        s, x, t, c, p = (array.gpudata for array in (price, strike, years, call, put))
        black_scholes.prepared_async_call(*launch, s, x, t, rate, volatility, c, p)

    return run
