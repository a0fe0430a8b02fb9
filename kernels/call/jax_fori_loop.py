"""A function called in jax.lax.fori_loop, function and loop compiled together."""

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
