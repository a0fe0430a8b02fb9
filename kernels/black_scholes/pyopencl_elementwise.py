"""PyOpenCL ElementwiseKernel."""

from pyopencl.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    black_scholes = ElementwiseKernel(
        case.queue.context,
        f"const {real} *price, const {real} *strike, const {real} *years, {real} rate, {real} volatility, "
        f"{real} *call, {real} *put",
        f"""
        const {real} root_half = 0.70710678118654752, spread = volatility * sqrt(years[i]);
        const {real} growth = (rate + volatility * volatility / 2) * years[i];
        const {real} d1 = (log(price[i] / strike[i]) + growth) / spread, present = strike[i] * exp(-rate * years[i]);
        const {real} value = (price[i] * erfc(-d1 * root_half) - present * erfc((spread - d1) * root_half)) / 2;
        call[i] = value;
        put[i] = value - price[i] + present;
        """,
        "black_scholes",
    )

    def run(price, strike, years, rate, volatility, call, put):
        black_scholes(price, strike, years, rate, volatility, call, put)

    return run
