"""NumPy on the grid as one vector, with five contiguous passes over each block, which stays in the cache."""

import numpy as np

BLOCK = 8192  # elements per block: four float64 blocks fit a 256 KiB L2 cache


def run(x, out):
    n, points, means = len(x), x.reshape(-1), out.reshape(-1)
    for start in range(n, n * n - n, BLOCK):
        end = min(start + BLOCK, n * n - n)
        block = means[start:end]
        np.add(points[start:end], points[start - n : end - n], out=block)
        np.add(block, points[start + n : end + n], out=block)
        np.add(block, points[start - 1 : end - 1], out=block)
        np.add(block, points[start + 1 : end + 1], out=block)
        np.multiply(block, 0.2, out=block)
    out[:1], out[-1:], out[:, :1], out[:, -1:] = x[:1], x[-1:], x[:, :1], x[:, -1:]
