"""Numba prange loops over parts of the vector: the first loop counts the selected elements, the second copies them."""

import numba
import numpy as np

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True)
def compact(x, out, parts):
    n, places = x.size, np.zeros(parts + 1, np.int64)
    for part in numba.prange(parts):
        count = 0
        for i in range(n * part // parts, n * (part + 1) // parts):
            count += x[i] > 0.5
        places[part + 1] = count
    for part in range(parts):
        places[part + 1] += places[part]
    for part in numba.prange(parts):
        place, i = places[part], n * part // parts
        while place < places[part + 1]:
            out[place] = x[i]
            place += x[i] > 0.5
            i += 1
    for i in numba.prange(places[parts], n):
        out[i] = 0
    return places[parts]


def run(x, out):
    return compact(x, out, numba.get_num_threads())  # get_num_threads() inside `compact` would disable its caching
