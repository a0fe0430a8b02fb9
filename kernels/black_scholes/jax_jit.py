"""jax.jit compiles the formula, with erfc instead of ndtr, to a few passes; each call makes two new arrays."""

import jax
import jax.numpy as jnp
from jax.scipy.special import erfc

PARAMETERS = ("threads",)


def normal(d):
    return erfc(d * -(0.5**0.5)) / 2


@jax.jit
def prices(price, strike, years, rate, volatility):
    spread = volatility * jnp.sqrt(years)
    d1 = (jnp.log(price / strike) + (rate + volatility**2 / 2) * years) / spread
    present = strike * jnp.exp(-rate * years)
    call = price * normal(d1) - present * normal(d1 - spread)
    return call, call - price + present


def run(price, strike, years, rate, volatility, call, put):
    return prices(price, strike, years, rate, volatility)
