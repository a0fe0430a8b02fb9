"""jax.jit of the formula; returns a new array."""

import jax
import jax.numpy as jnp

PARAMETERS = ("threads",)


@jax.jit
def softmax(x):
    exponentials = jnp.exp(x - jnp.max(x, axis=1, keepdims=True))
    return exponentials / jnp.sum(exponentials, axis=1, keepdims=True)


def run(x, out):
    return softmax(x)
