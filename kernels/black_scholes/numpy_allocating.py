"""NumPy evaluates the formula with SciPy's ndtr, in new arrays; copies move the prices into `call` and `put`."""

import numpy as np
from scipy.special import ndtr


def run(price, strike, years, rate, volatility, call, put):
    spread = volatility * np.sqrt(years)
    d1 = (np.log(price / strike) + (rate + volatility**2 / 2) * years) / spread
    present = strike * np.exp(-rate * years)
    call[:] = price * ndtr(d1) - present * ndtr(d1 - spread)
    put[:] = call - price + present
