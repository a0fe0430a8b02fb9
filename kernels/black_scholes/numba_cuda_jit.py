"""Numba CUDA kernel, one thread per option."""

import math

from numba import cuda

PARAMETERS = ("block_size",)


@cuda.jit(device=True)
def normal(d, half):
    return half * math.erfc(-d * math.sqrt(half))


@cuda.jit
def black_scholes(price, strike, years, rate, volatility, call, put):
    i = cuda.grid(1)
    if i < call.size:
        half = price.dtype.type(0.5)
        spread = volatility * math.sqrt(years[i])
        d1 = (math.log(price[i] / strike[i]) + (rate + volatility * volatility * half) * years[i]) / spread
        present = strike[i] * math.exp(-rate * years[i])
        call[i] = price[i] * normal(d1, half) - present * normal(d1 - spread, half)
        put[i] = call[i] - price[i] + present


def prepare(case):
    return black_scholes[case.blocks(), case.block_size, case.stream]
