"""NumPy: every step passes over all points, also over those that left the circle long before."""

import numpy as np

ALGORITHM = "all steps"


def run(x, y, limit, counts):
    c = x + 1j * y[:, np.newaxis]
    z, inside = np.zeros_like(c), np.ones(c.shape, bool)
    counts[:] = 0
    for _ in range(limit):
        counts += inside
        np.multiply(z, z, out=z, where=inside)
        np.add(z, c, out=z, where=inside)
        inside &= z.real**2 + z.imag**2 <= 4
