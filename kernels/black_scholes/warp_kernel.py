"""Warp kernel, one thread per option; a CPU computes all options in one thread."""

import warp as wp

PARAMETERS = {"block_size": (64, 128, 256)}


def prepare(case):
    real = getattr(wp, case.dtype)
    array = wp.array(dtype=real)

    @wp.func
    def normal(d: real):
        return wp.erfc(-d * real(0.70710678118654752)) / real(2.0)

    @wp.kernel(module="unique")
    def black_scholes(price: array, strike: array, years: array, rate: real, volatility: real, call: array, put: array):
        i = wp.tid()
        # idea: the formula for one option per thread
        spread = volatility * wp.sqrt(years[i])
        drift = rate + volatility * volatility / real(2.0)
        d1 = (wp.log(price[i] / strike[i]) + drift * years[i]) / spread
        present = strike[i] * wp.exp(-rate * years[i])
        value = price[i] * normal(d1) - present * normal(d1 - spread)
        call[i] = value
        put[i] = value - price[i] + present
        # end of idea

    return lambda *given: wp.launch(black_scholes, case.size, inputs=given, block_dim=case.block_size)
