"""jnp.sort compiled by jax.jit: comparisons on one core, a radix sort on a GPU; a new array each time."""

import jax
import jax.numpy as jnp

ALGORITHM = "merge sort"

sort = jax.jit(jnp.sort)


def run(x, out):
    return sort(x)
