"""Black-Scholes prices of a European call and put option for each stock price, strike and time to expiry in years.

    d1 = (log(price / strike) + (rate + volatility**2 / 2) years) / (volatility sqrt(years))
    d2 = d1 - volatility sqrt(years)
    call = price N(d1) - strike exp(-rate years) N(d2)
    put = call - price + strike exp(-rate years)

N is the normal distribution, N(d) = erfc(-d / sqrt(2)) / 2. Each option takes four special functions, a root and two
quotients, but the kernel reads only three numbers and writes two. On a CPU, arithmetic is the limit, so it matters
whether a library computes these functions with SIMD instructions. On a GPU, memory bandwidth is the limit in float32.
In float64, arithmetic is the limit on devices with few float64 units. Array code passes over memory some twenty times.
NumPy has no erfc, so the NumPy baselines compute N with scipy.special.ndtr.

There is no numexpr implementation: numexpr has neither erf nor erfc.

Source: F. Black, M. Scholes, Journal of Political Economy 81 (1973) 637.
"""

import numpy as np
from scipy.special import ndtr

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Black-Scholes option prices",
    size="number of options",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 1_000_000),
        "lecture": tuple(10**k for k in range(1, 9)),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_black_scholes",
    baselines=("numpy_blocked",),
    check_sizes=(100_000,),
)
SAMPLE = 1 << 13  # approximate number of options in the sample of `error_metrics`


def inputs(size, dtype, rng):
    """Return price, strike and years (`size` independent numbers each), rate = 0.02 and volatility = 0.3.

    Prices and strikes are uniform in [10, 50). Years are uniform in [0.25, 2.25).
    """
    price, strike, years = (rng.random(size, dtype=dtype) for _ in range(3))
    for prices in (price, strike):
        prices *= 40
        prices += 10
    years *= 2
    years += 0.25
    real = np.dtype(dtype).type
    return {"price": price, "strike": strike, "years": years, "rate": real(0.02), "volatility": real(0.3)}


def outputs(size, dtype):
    return (Output("call", (size,), dtype), Output("put", (size,), dtype))


def reference(price, strike, years, rate, volatility):
    """Return the prices of the calls and of the puts in float64, each of shape (size,)."""
    price, strike, years = (numbers.astype(np.float64) for numbers in (price, strike, years))
    rate, volatility = float(rate), float(volatility)
    spread = volatility * np.sqrt(years)
    d1 = (np.log(price / strike) + (rate + volatility**2 / 2) * years) / spread
    d2, present = d1 - spread, strike * np.exp(-rate * years)
    call = price * ndtr(d1) - present * ndtr(d2)
    put = present * ndtr(-d2) - price * ndtr(-d1)
    return call, put


def tolerance(price, strike, dtype):
    """Return 64 (eps + float64's eps) (price + strike) for each option; the second eps is for errors of the reference.

    An option's price is the difference of two terms. The terms may cancel, but their errors do not.

    d1 and d2: The logarithm is at most 1.7. Its error is 2.5 eps from the quotient, plus 4 units in the last place. The
    numerator of d1 has an error of 10.5 eps in all. The denominator, volatility sqrt(years), is at least 0.15. The
    product, the root (3 units in OpenCL) and the division add a relative error of 6 eps.

    N: Its slope is at most 0.4 and at most 0.25 / |d|. So the errors of d1 and d2 change N by at most 0.4 * 10.5 / 0.15
    + 0.25 * 6 < 30 eps. The argument of erfc and the difference in d2 add 2 eps, and erfc itself adds 16 eps in OpenCL
    and at most 5 elsewhere.

    Prices: The discounted strike has an error of 5 eps. Products and differences add at most 4 eps of the larger term.
    In all, the error is less than 64 eps of each term.
    """
    bound = 64 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps) * (price + strike).astype(np.float64)
    return bound, bound


def error_metrics(call, put, expected, price, strike, dtype):
    """Return the 0.9 quantile of a sample's errors, in units of eps (price + strike), and the quantile's limit, 4.

    `tolerance` allows each option an error of 64 units. Most rounding errors cancel: for implementations on CPUs, the
    quantile is below 0.5.
    """
    some = slice(None, None, max(1, price.size // SAMPLE))
    unit = float(np.finfo(dtype).eps) * (price[some].astype(np.float64) + strike[some])
    return {
        f"0.9 quantile of {name} errors": (
            np.quantile(np.abs(result[some] - right[some]) / unit, 0.9) if price.size else 0,
            4,
        )
        for name, result, right in (("call", call, expected[0]), ("put", put, expected[1]))
    }


def bytes_moved(size, itemsize):
    return 3 * size * itemsize, 2 * size * itemsize


def flops(size):
    """Return 18 operations per option; a function such as exp counts as one operation.

    Seven are for d1, one for d2, three for the discounted strike, two for N, three for the call, two for the put.
    """
    return 18 * size
