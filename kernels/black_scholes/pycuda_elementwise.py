"""PyCUDA ElementwiseKernel; the library chooses blocks and grid."""

from pycuda.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    black_scholes = ElementwiseKernel(
        f"const {real} *price, const {real} *strike, const {real} *years, {real} rate, {real} volatility, "
        f"{real} *call, {real} *put",
        f"""
        const {real} spread = volatility * sqrt(years[i]), growth = (rate + volatility * volatility / 2) * years[i];
        const {real} d1 = (log(price[i] / strike[i]) + growth) / spread, present = strike[i] * exp(-rate * years[i]);
        const {real} value = price[i] * normcdf(d1) - present * normcdf(d1 - spread);
        call[i] = value;
        put[i] = value - price[i] + present;
        """,
        "black_scholes",
    )

    def run(price, strike, years, rate, volatility, call, put):
        black_scholes(price, strike, years, rate, volatility, call, put, stream=case.stream)

    return run
