"""Numba-compiled loops."""

import numba
import numpy as np


@numba.njit(cache=True)
def run(matrices, u, factors, out):
    nodes = u.shape[1]
    for e in range(u.shape[0]):
        along = np.zeros((3, nodes), u.dtype)
        for b in range(nodes):
            for c in range(3):
                for a in range(nodes):
                    along[c, a] += u[e, b] * matrices[b, c, a]
        for i in range(3):
            f, g, h = factors[e, i]
            for a in range(nodes):
                out[e, i, a] = f * along[0, a] + g * along[1, a] + h * along[2, a]
