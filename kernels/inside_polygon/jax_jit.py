"""jax.jit unrolls a Python loop over the edges and compiles the comparisons with all pixels to one pass."""

import jax
import jax.numpy as jnp

ALGORITHM = "edge by edge"
PARAMETERS = ("threads",)


def prepare(case):
    height, width = case.size, int(case.options["width"]) or case.size

    @jax.jit
    def fill(polygon):
        x, y = jnp.arange(width, dtype=polygon.dtype), jnp.arange(height, dtype=polygon.dtype)[:, jnp.newaxis]
        inside = corner = jnp.zeros((height, width), bool)
        for (xa, ya), (xb, yb) in zip(jnp.roll(polygon, 1, axis=0), polygon, strict=True):
            across, along = (x - xa) * (yb - ya), (y - ya) * (xb - xa)
            inside ^= ((ya < y) != (yb < y)) & jnp.where(ya < yb, across <= along, across >= along)
            corner |= (x == xb) & (y == yb)
        return (inside | corner).astype("uint8")

    return lambda polygon, mask: fill(polygon)
