"""jax.random with its own generator, the counter-based Threefry; a new array each time."""

import jax

PARAMETERS = ("threads",)


def prepare(case):
    key = jax.random.key(20230308)

    @jax.jit
    def draw(key):
        key, now = jax.random.split(key)
        return key, jax.random.uniform(now, case.size, case.dtype)

    def run(out):
        nonlocal key
        key, numbers = draw(key)
        return numbers

    return run
