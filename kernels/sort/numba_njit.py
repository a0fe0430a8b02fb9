"""Numba-compiled ndarray.sort of a copy: a quicksort of Numba's own."""

import numba


@numba.njit(cache=True)
def run(x, out):
    out[:] = x
    out.sort()
