"""NumPy hashes a counter (SplitMix64) in pieces that fit the cache."""

import numpy as np

PIECE = 8192  # hashes per piece, of 8 bytes each
GOLDEN = 0x9E3779B97F4A7C15
STEPS = np.arange(PIECE, dtype=np.uint64) * np.uint64(GOLDEN)


def mix(z, rest):
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        np.right_shift(z, np.uint64(shift), out=rest)
        z ^= rest
        z *= np.uint64(factor)
    return z


def prepare(case):
    # A float64 takes 53 bits, so a point takes two hashes. A float32 takes 24 bits, so a point takes one hash.
    per_point, halves, unused = {"float64": (2, "int64", 11), "float32": (1, "int32", 8)}[case.dtype]
    scale = np.dtype(case.dtype).type(2.0 ** (unused - 8 * case.itemsize))
    bits, rest = np.empty((2, PIECE), np.uint64)
    numbers = np.empty(PIECE * 2 // per_point, case.dtype)

    def run(n, seed):
        start, hits = int(mix(np.array([seed]), rest[:1])[0]), 0
        for first in range(0, int(n) * per_point, PIECE):
            count = min(int(n) * per_point - first, PIECE)
            # idea: a point is a hash of its index
            z = np.add(STEPS[:count], np.uint64((start + first * GOLDEN) % 2**64), out=bits[:count])
            drawn = mix(z, rest[:count]).view(halves.replace("int", "uint"))
            drawn >>= unused
            point = np.multiply(drawn.view(halves), scale, out=numbers[: drawn.size])
            point *= point
            hits += np.count_nonzero(point[::2] + point[1::2] < 1)
            # end of idea
        return 4 * hits / n if n else 0.0

    return run
