"""NumPy's SFC64 in pieces that fit the cache, into preallocated arrays."""

import numpy as np

ALGORITHM = "SFC64"

PIECE = 16_384  # points per piece: two coordinates of 8 bytes each, 256 KiB in all


def prepare(case):
    x, y = np.empty((2, min(case.size, PIECE)), case.dtype)
    inside = np.empty(x.shape, bool)

    def run(n, seed):
        rng = np.random.Generator(np.random.SFC64(seed))
        hits = 0
        for start in range(0, n, PIECE):
            count = min(n - start, PIECE)
            a, b, hit = x[:count], y[:count], inside[:count]
            rng.random(out=a, dtype=a.dtype)
            rng.random(out=b, dtype=b.dtype)
            np.multiply(a, a, out=a)
            np.multiply(b, b, out=b)
            np.add(a, b, out=a)
            np.less(a, 1, out=hit)
            hits += np.count_nonzero(hit)
        return 4 * hits / n if n else 0.0

    return run
