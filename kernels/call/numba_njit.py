"""A Numba-compiled function, called from Python."""

import numba


@numba.njit(cache=True)
def add_one(x):
    return x + 1.0


def prepare(case):
    size = case.size

    def run(x):
        x = float(x)
        for _ in range(size):
            x = add_one(x)
        return x

    return run
