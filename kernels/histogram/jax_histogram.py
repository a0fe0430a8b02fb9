"""jnp.histogram compiled by jax.jit: it searches each number's bin among the edges, and makes a new array."""

from functools import partial

import jax
import jax.numpy as jnp

ALGORITHM = "search"
PARAMETERS = ("threads",)


@partial(jax.jit, static_argnames="bins")
def histogram(x, bins):
    return jnp.histogram(x, bins, range=(0, 1))[0].astype("int32")


def run(x, counts):
    return histogram(x, counts.size)
