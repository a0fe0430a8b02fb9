"""C loop, called through ctypes."""

import ctypes

SOURCES = ("black_scholes.c",)


def prepare(case):
    real, array = getattr(ctypes, f"c_{case.ctype}"), ctypes.c_void_p
    black_scholes = getattr(ctypes.CDLL(case.artifact("black_scholes.c")), f"black_scholes_{case.dtype}")
    black_scholes.argtypes, black_scholes.restype = (*[array] * 3, real, real, array, array, ctypes.c_int64), None

    def run(price, strike, years, rate, volatility, call, put):
        s, x, t, c, p = (numbers.ctypes.data for numbers in (price, strike, years, call, put))
        black_scholes(s, x, t, rate, volatility, c, p, price.size)

    return run
