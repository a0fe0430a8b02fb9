"""jnp.fft.fft compiled by jax.jit, a new array each time."""

import jax
import jax.numpy as jnp

PARAMETERS = ("threads",)

fft = jax.jit(jnp.fft.fft)


def run(x, out):
    return fft(x) if x.size else None  # JAX refuses vectors of no elements
