"""Numba prange loop on several threads, without checks for division by zero."""

import math

import numba

PARAMETERS = ("threads",)
VARIANTS = {"fast": ("fastmath=True",)}


@numba.njit(cache=True)
def normal(d, half):
    return half * math.erfc(-d * math.sqrt(half))


def black_scholes(price, strike, years, rate, volatility, call, put):
    half = price.dtype.type(0.5)
    drift = rate + volatility * volatility * half
    for i in numba.prange(price.size):
        spread = volatility * math.sqrt(years[i])
        d1 = (math.log(price[i] / strike[i]) + drift * years[i]) / spread
        present = strike[i] * math.exp(-rate * years[i])
        call[i] = price[i] * normal(d1, half) - present * normal(d1 - spread, half)
        put[i] = call[i] - price[i] + present


def prepare(case):
    return numba.njit(black_scholes, cache=True, parallel=True, fastmath=case.variant == "fast", error_model="numpy")
