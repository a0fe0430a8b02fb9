"""(x - y) ** 2 compiled by jax.jit: one pass, and a new array each time."""

import jax

PARAMETERS = ("threads",)


@jax.jit
def squared_difference(x, y):
    return (x - y) ** 2


def run(x, y, out):
    return squared_difference(x, y)
