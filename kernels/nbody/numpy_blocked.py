"""NumPy broadcasting over blocks of bodies whose pairs fit the cache. Each operation creates a new array."""

import numpy as np

PAIRS = 16_384


def run(position, mass, softening, acceleration):
    rows = max(1, PAIRS // max(mass.size, 1))
    for start in range(0, mass.size, rows):
        block = slice(start, start + rows)
        d = position[:, np.newaxis] - position[:, block, np.newaxis]
        squares = (d * d).sum(axis=0) + softening
        acceleration[:, block] = (d * (mass / (squares * np.sqrt(squares)))).sum(axis=2)
