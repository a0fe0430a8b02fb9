"""jnp, row by row: mark the crossings, then count the marks up to each pixel. An odd count means inside."""

import jax
import jax.numpy as jnp

PARAMETERS = ("threads",)


def prepare(case):
    height, width = case.size, int(case.options["width"]) or case.size

    @jax.jit
    def fill(polygon):
        (xa, ya), (xb, yb) = polygon.T, jnp.roll(polygon, -1, axis=0).T
        y = jnp.arange(height, dtype=polygon.dtype)[:, jnp.newaxis]
        column = xa + (y - ya) * (xb - xa) // (yb - ya) + 1
        column = jnp.where((ya < y) != (yb < y), jnp.clip(column, 0, width), width)
        marks = jnp.zeros((height, width), "uint8").at[y, column].add(1, mode="drop")
        inside = jnp.cumsum(marks, axis=1, dtype="uint8") & 1
        outside = (xa < 0) | (ya < 0)  # negative indices would count from the end
        return inside.at[jnp.where(outside, height, ya), xa].set(1, mode="drop")

    return lambda polygon, mask: fill(polygon)
