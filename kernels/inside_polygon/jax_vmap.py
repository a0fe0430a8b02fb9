"""A jnp function of one pixel, applied to all pixels by jax.vmap and compiled by jax.jit; returns a new array."""

import jax
import jax.numpy as jnp

ALGORITHM = "pixel by pixel"
PARAMETERS = ("threads",)


def inside(polygon, x, y):
    (xa, ya), (xb, yb) = polygon.T, jnp.roll(polygon, -1, axis=0).T
    across, along = (x - xa) * (yb - ya), (y - ya) * (xb - xa)
    crossed = ((ya < y) != (yb < y)) & jnp.where(ya < yb, across <= along, across >= along)
    corner = jnp.any((x == xa) & (y == ya))
    return corner | (jnp.count_nonzero(crossed) % 2 == 1)


def prepare(case):
    height, width = case.size, int(case.options["width"]) or case.size
    pixels = jax.vmap(jax.vmap(inside, (None, 0, None)), (None, None, 0))

    @jax.jit
    def fill(polygon):
        x, y = jnp.arange(width, dtype=polygon.dtype), jnp.arange(height, dtype=polygon.dtype)
        return pixels(polygon, x, y).astype("uint8")

    return lambda polygon, mask: fill(polygon)
