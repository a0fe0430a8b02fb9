"""The formula compiled by jax.jit to one pass, into a new array each time."""

import jax
import jax.numpy as jnp

PARAMETERS = ("threads",)


@jax.jit
def softplus(x):
    return jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x)))


def run(x, out):
    return softplus(x)
