"""A Python function that does nothing, compiled by Numba: the crossing into machine code alone, no device."""

import numba


@numba.njit(cache=True)
def run(x):
    pass
