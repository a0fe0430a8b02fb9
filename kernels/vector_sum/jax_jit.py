"""jnp.sum compiled by jax.jit."""

import jax
import jax.numpy as jnp

PARAMETERS = ("threads",)


@jax.jit
def run(x):
    return jnp.sum(x)
