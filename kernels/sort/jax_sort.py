"""jnp.sort compiled by jax.jit: it compares on one core, or sorts by radix on a GPU; returns a new array."""

import jax
import jax.numpy as jnp

ALGORITHM = "merge sort"

sort = jax.jit(jnp.sort)


def run(x, out):
    return sort(x)
