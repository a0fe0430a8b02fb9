"""x[::3] compiled by jax.jit, a new array each time: JAX has no views."""

import jax

PARAMETERS = ("threads",)


@jax.jit
def every_third(x):
    return x[::3]


def run(x, out):
    return every_third(x)
