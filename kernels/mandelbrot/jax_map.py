"""A jax.lax.while_loop for one point, applied to all by vmap and lax.map. A batch waits for its slowest point."""

import jax
import jax.numpy as jnp

ROWS = {"cpu": 1, "gpu": 1024}  # rows per batch, so that a batch fits a CPU's cache or occupies a GPU


def steps(a, b, limit):
    def inside(state):
        re, im, step = state
        return (step < limit) & (re * re + im * im <= 4)

    def follow(state):
        re, im, step = state
        return re * re - im * im + a, 2 * re * im + b, step + 1

    return jax.lax.while_loop(inside, follow, (jnp.zeros_like(a), jnp.zeros_like(b), jnp.int32(0)))[2]


@jax.jit
def mandelbrot(x, y, limit):
    # idea: a loop for one point, extended to a row by vmap and to all rows by map
    row = jax.vmap(steps, (0, None, None))
    return jax.lax.map(lambda b: row(x, b, limit), y, batch_size=ROWS[jax.default_backend()])
    # end of idea


def run(x, y, limit, counts):
    return mandelbrot(x, y, limit)
