"""A loop over lists of Python floats, in double precision always."""

from math import erfc, exp, log, sqrt


def convert(price, strike, years, rate, volatility):
    return price.tolist(), strike.tolist(), years.tolist(), float(rate), float(volatility)


def normal(d):
    return erfc(-d * sqrt(0.5)) / 2


def run(price, strike, years, rate, volatility, call, put):
    for i, (s, x, t) in enumerate(zip(price, strike, years, strict=True)):
        spread = volatility * sqrt(t)
        d1 = (log(s / x) + (rate + volatility**2 / 2) * t) / spread
        present = x * exp(-rate * t)
        call[i] = s * normal(d1) - present * normal(d1 - spread)
        put[i] = call[i] - s + present
