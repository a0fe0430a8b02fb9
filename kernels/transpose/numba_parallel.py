"""Numba prange loop: threads share rows of tiles."""

import math

import numba

PARAMETERS = ("threads",)
TILE = 32


@numba.njit(cache=True, parallel=True)
def run(x, out):
    n = len(x)
    tiles = math.ceil(n / TILE)
    for top in numba.prange(tiles):
        for left in range(tiles):
            for i in range(TILE * top, min(TILE * top + TILE, n)):
                for j in range(TILE * left, min(TILE * left + TILE, n)):
                    out[i, j] = x[j, i]
