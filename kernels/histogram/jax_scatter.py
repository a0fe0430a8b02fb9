"""Scatter-add of ones at indices promised to be in bounds, compiled by jax.jit; each call makes a new array."""

from functools import partial

import jax
import jax.numpy as jnp

PARAMETERS = ("threads",)


@partial(jax.jit, static_argnames="bins")
def histogram(x, bins):
    return jnp.zeros(bins, "int32").at[(x * bins).astype("int32")].add(1, mode="promise_in_bounds")


def run(x, counts):
    return histogram(x, counts.size)
