"""Numba prange loop: threads share the elements."""

import numba
import numpy as np

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True)
def run(matrices, u, factors, out):
    nodes = u.shape[1]
    for e in numba.prange(u.shape[0]):
        along = np.zeros((3, nodes), u.dtype)
        for b in range(nodes):
            for c in range(3):
                for a in range(nodes):
                    along[c, a] += u[e, b] * matrices[b, c, a]
        for i in range(3):
            f, g, h = factors[e, i]
            for a in range(nodes):
                out[e, i, a] = f * along[0, a] + g * along[1, a] + h * along[2, a]
