"""NumPy's slice, compiled by Numba."""

import numba


@numba.njit(cache=True)
def run(x, out):
    out[:] = x[::3]
