"""jax.lax.fori_loop: every step computes all points, also those outside the circle; ten steps per pass."""

from functools import partial

import jax
import jax.numpy as jnp

ALGORITHM = "all steps"
PARAMETERS = ("threads",)


@partial(jax.jit, static_argnames="limit")
def mandelbrot(x, y, limit):
    c = x + 1j * y[:, jnp.newaxis]

    def step(_, state):
        z, counts = state
        inside = z.real**2 + z.imag**2 <= 4
        return jnp.where(inside, z * z + c, z), counts + inside

    start = jnp.zeros_like(c), jnp.zeros(c.shape, "int32")
    return jax.lax.fori_loop(0, limit, step, start, unroll=10)[1]


def run(x, y, limit, counts):
    return mandelbrot(x, y, limit)
