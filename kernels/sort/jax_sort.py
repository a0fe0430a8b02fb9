"""jnp.sort compiled by jax.jit: one core compares pairs, a GPU deals out by radix; a new array each time."""

import jax
import jax.numpy as jnp

ALGORITHM = "merge sort"

sort = jax.jit(jnp.sort)


def run(x, out):
    return sort(x)
