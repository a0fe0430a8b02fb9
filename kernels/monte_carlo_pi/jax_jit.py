"""jax.random's counter-based Threefry and the count of the hits, compiled by jax.jit."""

import jax
import jax.numpy as jnp

ALGORITHM = "library"
PARAMETERS = ("threads",)


def prepare(case):
    @jax.jit
    def run(n, seed):
        x, y = jax.random.uniform(jax.random.key(seed), (2, case.size), case.dtype)
        hits = jnp.count_nonzero(x * x + y * y < 1)
        return 4 * hits / jnp.maximum(n, 1)

    return run
