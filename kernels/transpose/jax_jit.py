"""jnp.transpose compiled by jax.jit: a copy into a new array, since JAX has no views."""

import jax
import jax.numpy as jnp

PARAMETERS = ("threads",)

transpose = jax.jit(jnp.transpose)


def run(x, out):
    return transpose(x)
