"""JAX compiles the function together with a jax.lax.fori_loop that calls it."""

import jax


@jax.jit
def add_one(x):
    return x + 1


def prepare(case):
    size = case.size

    @jax.jit
    def run(x):
        return jax.lax.fori_loop(0, size, lambda _, x: add_one(x), x)

    return run
