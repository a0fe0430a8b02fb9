"""jax.jit of factor * x. The previous result is donated: the new result overwrites its memory."""

from functools import partial

import jax
import jax.numpy as jnp

PARAMETERS = ("threads",)


@partial(jax.jit, donate_argnames="spent", keep_unused=True)
def scale(factor, x, spent):
    return factor * x


def prepare(case):
    result = jnp.empty(case.size, case.dtype)

    def run(factor, x, y):
        nonlocal result
        result = scale(factor, x, result)
        return result

    return run
