"""A Numba-compiled function, called in a Numba-compiled loop."""

import numba


@numba.njit(cache=True)
def add_one(x):
    return x + 1.0


@numba.njit(cache=True)
def repeat(x, size):
    for _ in range(size):
        x = add_one(x)
    return x


def prepare(case):
    size = case.size
    return lambda x: repeat(x, size)
