"""Triton kernel, one block of options per program; float64 annotations keep Triton from rounding the scalars."""

import triton
import triton.language as tl

PARAMETERS = {"block_size": (128, 256, 512), "num_warps": (2, 4)}


@triton.jit
def normal(d):
    return (1 + tl.erf(d * tl.full((), 0.70710678118654752, d.dtype))) / 2


@triton.jit
def black_scholes(price, strike, years, rate: tl.float64, volatility: tl.float64, call, put, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    s, x, t = tl.load(price + i, inside), tl.load(strike + i, inside), tl.load(years + i, inside)
    rate, volatility = tl.full((), rate, s.dtype), tl.full((), volatility, s.dtype)
    # idea: the formula for a block of options
    spread = volatility * tl.sqrt(t)
    d1 = (tl.log(s / x) + (rate + volatility * volatility / 2) * t) / spread
    present = x * tl.exp(-rate * t)
    value = s * normal(d1) - present * normal(d1 - spread)
    tl.store(call + i, value, inside)
    tl.store(put + i, value - s + present, inside)
    # end of idea


def prepare(case):
    grid = (case.blocks(),)

    def run(*given):
        black_scholes[grid](*given, case.size, BLOCK=case.block_size, num_warps=case.num_warps)

    return run
