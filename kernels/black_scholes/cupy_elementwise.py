"""CuPy ElementwiseKernel with its types written out, and CUDA's normal distribution."""

import cupy as cp

PARAMETERS = ("block_size",)


def prepare(case):
    real, block_size = case.dtype, case.block_size
    black_scholes = cp.ElementwiseKernel(
        f"{real} price, {real} strike, {real} years, {real} rate, {real} volatility",
        f"{real} call, {real} put",
        f"""
        const {case.ctype} spread = volatility * sqrt(years), growth = (rate + volatility * volatility / 2) * years;
        const {case.ctype} d1 = (log(price / strike) + growth) / spread, present = strike * exp(-rate * years);
        call = price * normcdf(d1) - present * normcdf(d1 - spread);
        put = call - price + present;
        """,
        "black_scholes",
    )

    def run(price, strike, years, rate, volatility, call, put):
        black_scholes(price, strike, years, rate, volatility, call, put, block_size=block_size)

    return run
