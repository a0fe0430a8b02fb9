"""NumPy's SFC64 in pieces that fit the cache; numexpr counts the hits in one pass."""

import numexpr
import numpy as np

ALGORITHM = "SFC64"

PIECE = 16_384  # points per piece: two coordinates of 8 bytes each, 256 KiB in all


def prepare(case):
    points = np.empty((2, min(case.size, PIECE)), case.dtype)

    def run(n, seed):
        rng = np.random.Generator(np.random.SFC64(seed))
        hits = 0
        for start in range(0, n, PIECE):
            x, y = points[:, : min(n - start, PIECE)]
            rng.random(out=x, dtype=x.dtype)
            rng.random(out=y, dtype=y.dtype)
            hits += numexpr.evaluate("sum(where(x * x + y * y < 1, 1, 0))")
        return 4 * hits / n if n else 0.0

    return run
