"""jnp.dot compiled by jax.jit, in full precision."""

import jax
import jax.numpy as jnp

PARAMETERS = ("threads",)


@jax.jit
def run(x, y):
    return jnp.dot(x, y)
