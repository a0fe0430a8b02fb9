"""Places by jnp.cumsum, then one scatter that drops elements without one, by jax.jit: jnp.nonzero takes two sums."""

import jax
import jax.numpy as jnp

PARAMETERS = ("threads",)


@jax.jit
def compact(x):
    keep = x > 0.5
    places = jnp.where(keep, jnp.cumsum(keep) - 1, x.size)
    return jnp.zeros_like(x).at[places].set(x, mode="drop"), jnp.count_nonzero(keep)


def run(x, out):
    return compact(x)
