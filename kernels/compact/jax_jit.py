"""jnp.nonzero compiled by jax.jit, which wants lengths that it knows: `size` is that of x, what is left over is 0."""

import jax
import jax.numpy as jnp

PARAMETERS = ("threads",)


@jax.jit
def compact(x):
    keep = x > 0.5
    (kept,) = jnp.nonzero(keep, size=x.size, fill_value=x.size)
    return x.at[kept].get(mode="fill", fill_value=0), jnp.count_nonzero(keep)


def run(x, out):
    return compact(x)
