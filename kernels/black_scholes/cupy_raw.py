"""CUDA C, one thread per option, precompiled, launched through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("black_scholes.cu",)


def prepare(case):
    black_scholes = cp.RawModule(path=case.artifact("black_scholes.cu")).get_function(f"black_scholes_{case.dtype}")
    n, grid, block = case.size, (case.blocks(),), (case.block_size,)

    def run(price, strike, years, rate, volatility, call, put):
        black_scholes(grid, block, (n, price, strike, years, rate, volatility, call, put))

    return run
