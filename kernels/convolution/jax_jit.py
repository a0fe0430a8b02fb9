"""Each weight times a shifted piece of the signal, compiled by jax.jit: one pass, and a new array each time."""

import jax

PARAMETERS = ("threads",)


@jax.jit
def convolve(x, weights):
    size = x.size - weights.size + 1
    return sum(weight * x[tap : tap + size] for tap, weight in enumerate(weights[::-1]))


def run(x, weights, out):
    return convolve(x, weights)
