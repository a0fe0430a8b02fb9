"""pyopencl.array and its mathematical functions, a new array for each step."""

from math import sqrt

from pyopencl import clmath


def run(price, strike, years, rate, volatility, call, put):
    real = price.dtype.type
    root_half, half = real(sqrt(0.5)), real(0.5)
    spread = clmath.sqrt(years) * volatility
    d1 = (clmath.log(price / strike) + years * (rate + volatility * volatility * half)) / spread
    present = strike * clmath.exp(years * -rate)
    ours, theirs = clmath.erfc(d1 * -root_half), clmath.erfc((spread - d1) * root_half)
    call[:] = (price * ours - present * theirs) * half
    put[:] = call - price + present
