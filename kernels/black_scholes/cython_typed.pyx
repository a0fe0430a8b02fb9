# distutils: language = c++
# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Cython loop over typed memoryviews, compiled as C++, whose math functions accept float and double."""

from cython cimport floating

cdef extern from "<cmath>" namespace "std" nogil:
    float erfc(float)
    double erfc(double)
    float exp(float)
    double exp(double)
    float log(float)
    double log(double)
    float sqrt(float)
    double sqrt(double)


cdef floating normal(floating d) noexcept nogil:
    return erfc(-d * <floating> 0.70710678118654752) / 2


def black_scholes(const floating[::1] price, const floating[::1] strike, const floating[::1] years, floating rate,
                  floating volatility, floating[::1] call, floating[::1] put):
    cdef floating d1, spread, present, drift = rate + volatility * volatility / 2
    cdef Py_ssize_t i
    # idea: the formula for one option
    for i in range(call.shape[0]):
        spread = volatility * sqrt(years[i])
        d1 = (log(price[i] / strike[i]) + drift * years[i]) / spread
        present = strike[i] * exp(-rate * years[i])
        call[i] = price[i] * normal(d1) - present * normal(<floating> (d1 - spread))
        put[i] = call[i] - price[i] + present
    # end of idea


def prepare(case):
    return black_scholes[case.ctype]
