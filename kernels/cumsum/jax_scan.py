"""jax.lax.scan of one addition: a loop on the device, one element after the other, into a new array."""

import jax
import jax.numpy as jnp


@jax.jit
def cumsum(x):
    def add(total, element):
        total += element
        return total, total

    return jax.lax.scan(add, jnp.zeros((), x.dtype), x)[1]


def run(x, out):
    return cumsum(x)
