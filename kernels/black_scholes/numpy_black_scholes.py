"""NumPy evaluates the formula with SciPy's ndtr; each operation writes into a preallocated array."""

import numpy as np
from scipy.special import ndtr


def prepare(case):
    spread, drift = np.empty((2, case.size), case.dtype)

    def run(price, strike, years, rate, volatility, call, put):
        np.sqrt(years, out=spread)
        np.multiply(spread, volatility, out=spread)
        np.multiply(years, rate + volatility**2 / 2, out=drift)
        np.divide(price, strike, out=call)
        np.log(call, out=call)
        np.add(call, drift, out=call)
        np.divide(call, spread, out=call)
        np.subtract(call, spread, out=drift)  # now `call` contains d1, and `drift` contains d2
        np.multiply(years, -rate, out=put)
        np.exp(put, out=put)
        np.multiply(put, strike, out=put)
        ndtr(drift, out=drift)
        np.multiply(drift, put, out=drift)
        ndtr(call, out=call)
        np.multiply(call, price, out=call)
        np.subtract(call, drift, out=call)
        np.add(put, call, out=put)
        np.subtract(put, price, out=put)

    return run
