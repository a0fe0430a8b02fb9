"""CuPy arrays from CuPy's Philox generator, piece by piece. Each operation passes over memory."""

import cupy as cp

ALGORITHM = "Philox"

PIECE = 1 << 24  # points per piece


def prepare(case):
    def run(n, seed):
        rng = cp.random.Generator(cp.random.Philox4x3210(int(seed)))
        hits = cp.zeros((), "int64")
        for start in range(0, n, PIECE):
            x, y = rng.random((2, min(int(n) - start, PIECE)), dtype=cp.dtype(case.dtype))
            hits += cp.count_nonzero(x * x + y * y < 1)
        return hits * (4 / max(n, 1))

    return run
