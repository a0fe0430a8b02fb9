"""NumPy with SciPy's ndtr works block by block: each operation reads the previous result from the cache."""

import numpy as np
from scipy.special import ndtr

BLOCK = 4096  # elements per block: seven float64 blocks fit a 256 KiB L2 cache


def prepare(case):
    scratch = np.empty((2, BLOCK), case.dtype)

    def run(price, strike, years, rate, volatility, call, put):
        growth = rate + volatility**2 / 2
        for start in range(0, price.size, BLOCK):
            s, x, t, c, p = (array[start : start + BLOCK] for array in (price, strike, years, call, put))
            spread, d2 = scratch[:, : s.size]
            np.multiply(np.sqrt(t, out=spread), volatility, out=spread)
            np.log(np.divide(s, x, out=c), out=c)
            np.add(c, np.multiply(t, growth, out=d2), out=c)
            np.divide(c, spread, out=c)
            np.subtract(c, spread, out=d2)
            np.exp(np.multiply(t, -rate, out=p), out=p)
            np.multiply(p, x, out=p)
            np.multiply(ndtr(d2, out=d2), p, out=d2)
            np.multiply(ndtr(c, out=c), s, out=c)
            np.subtract(c, d2, out=c)
            np.subtract(np.add(p, c, out=p), s, out=p)

    return run
