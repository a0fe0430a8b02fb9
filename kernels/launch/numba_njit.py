"""An empty Python function compiled by Numba: the cost of crossing into machine code, without a device."""

import numba


@numba.njit(cache=True)
def run(x):
    pass
