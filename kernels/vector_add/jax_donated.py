"""x + y compiled by jax.jit. The previous result is donated: the new result overwrites its memory."""

from functools import partial

import jax
import jax.numpy as jnp

PARAMETERS = ("threads",)


@partial(jax.jit, donate_argnames="spent", keep_unused=True)
def add(x, y, spent):
    return x + y


def prepare(case):
    result = jnp.empty(case.size, case.dtype)

    def run(x, y, out):
        nonlocal result
        result = add(x, y, result)
        return result

    return run
