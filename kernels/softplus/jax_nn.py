"""jax.nn.softplus compiled by jax.jit; returns a new array."""

import jax

PARAMETERS = ("threads",)

softplus = jax.jit(jax.nn.softplus)


def run(x, out):
    return softplus(x)
