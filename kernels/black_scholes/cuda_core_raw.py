"""CUDA C, one thread per option, compiled ahead, launched through cuda.core."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("black_scholes.cu",)


def prepare(case):
    module = ObjectCode.from_fatbin(case.artifact("black_scholes.cu"))
    black_scholes = module.get_kernel(f"black_scholes_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(), block=case.block_size), np.int64(case.size)

    def run(price, strike, years, rate, volatility, call, put):
        s, x, t, c, p = (array.ptr for array in (price, strike, years, call, put))
        launch(case.stream, config, black_scholes, n, s, x, t, rate, volatility, c, p)

    return run
