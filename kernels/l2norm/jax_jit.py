"""Squares, sums and roots compiled by jax.jit, a new array each time."""

import jax
import jax.numpy as jnp

PARAMETERS = ("threads",)


@jax.jit
def lengths(x):
    return jnp.sqrt(jnp.sum(x * x, axis=1))


def run(x, out):
    return lengths(x)
