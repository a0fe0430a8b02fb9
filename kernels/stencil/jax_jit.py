"""Shifted slices, padded and chosen from, compiled by jax.jit: one pass, where .at[...].set would copy x first."""

import jax
import jax.numpy as jnp

PARAMETERS = ("threads",)


@jax.jit
def stencil(x):
    n, i = len(x), jnp.arange(len(x))
    mean = (x[1:-1, 1:-1] + x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) / 5
    inner = (i > 0) & (i < n - 1)
    return jnp.where(inner[:, jnp.newaxis] & inner, jnp.pad(mean, 1)[:n, :n], x)  # padding makes two rows of one


def run(x, out):
    return stencil(x)
