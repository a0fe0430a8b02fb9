"""Numba-compiled ndarray.sort of a copy: Numba's quicksort."""

import numba


@numba.njit(cache=True)
def run(x, out):
    out[:] = x
    out.sort()
