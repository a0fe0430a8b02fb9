"""Branch-free Numba-compiled loop."""

import numba


@numba.njit(cache=True)
def run(x, out):
    count = 0
    for i in range(x.size):
        out[count] = x[i]
        count += x[i] > 0.5
    out[count:] = 0
    return count
