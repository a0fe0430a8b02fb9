"""cupy.bincount, which asks for the largest bin, and waits for it."""

import cupy as cp


def run(x, counts):
    counts[:] = cp.bincount((x * counts.size).astype(cp.int32), minlength=counts.size)
