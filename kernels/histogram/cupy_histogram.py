"""cupy.histogram, which looks up each number among the bins' ends."""

import cupy as cp


def run(x, counts):
    counts[:], _ = cp.histogram(x, bins=counts.size, range=(0, 1))
