"""jnp.convolve compiled by jax.jit: the convolution of XLA, made for neural networks; a new array each time."""

import jax
import jax.numpy as jnp

PARAMETERS = ("threads",)


@jax.jit
def convolve(x, weights):
    return jnp.convolve(x, weights, "valid")


def run(x, weights, out):
    return convolve(x, weights)[: out.size]  # at size 0, x is the shorter one, and the two swap roles
