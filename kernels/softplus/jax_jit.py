"""jax.jit compiles the formula to one pass; returns a new array."""

import jax
import jax.numpy as jnp

PARAMETERS = ("threads",)


@jax.jit
def softplus(x):
    return jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x)))


def run(x, out):
    return softplus(x)
