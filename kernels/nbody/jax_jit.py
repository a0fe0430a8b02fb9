"""jax.jit of a broadcast over all pairs; returns a new array."""

import jax
import jax.numpy as jnp

PARAMETERS = ("threads",)


@jax.jit
def nbody(position, mass, softening):
    dx, dy, dz = (axis - axis[:, jnp.newaxis] for axis in position)
    squares = dx * dx + dy * dy + dz * dz + softening
    weight = mass / (squares * jnp.sqrt(squares))
    return jnp.stack([jnp.sum(d * weight, axis=1) for d in (dx, dy, dz)])


def run(position, mass, softening, acceleration):
    return nbody(position, mass, softening)
