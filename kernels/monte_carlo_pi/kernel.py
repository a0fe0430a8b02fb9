"""Estimate pi from n random points in the unit square: 4 times the fraction of points inside the quarter circle.

    pi  ~  4 / n * (number of points with x_i**2 + y_i**2 < 1),    x_i, y_i independent and uniform on [0, 1)

The dtype is the precision of the coordinates: float32 numbers have 23 or 24 random bits, float64 numbers 52 or 53, or
31 from the C library's rand(). Hits, the points inside, are counted in 64-bit integers for every dtype, since a float32
count stops growing at 2**24. Every implementation starts its generator from `seed`, so the same seed gives the same
result again. For n = 0, the result is defined as 0.0.

The check sees one number. It tests whether the number is near pi and a multiple of 4 / n. It cannot tell whether points
were drawn: an implementation that draws only the number of hits, from a binomial distribution, passes. Read an
implementation before you trust its time.
"""

import math

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Monte Carlo pi",
    size="number of points",
    sizes={
        "smoke": (10_000,),
        "default": (10_000, 100_000, 1_000_000),
        "lecture": (100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_random",
    lectures=("icsc23",),
    check_sizes=(4_097, 65_537),
    algorithms={
        "SplitMix64": "the k-th point is a hash of k, so that points can be computed in any order",
        "SFC64": "a generator with a state of 256 bits, which must compute its numbers one after the other",
        "xoshiro256+": "a generator with a state of 256 bits, which must compute its numbers one after the other",
        "Philox": "a counter-based generator of ten rounds",
        "library": "the generator of a library or language",
    },
)


def inputs(size, rng):
    return {"n": np.int64(size), "seed": rng.integers(2**64, dtype=np.uint64)}


def outputs():
    return (Output("pi", (), "float64"),)


def reference(n):
    return np.float64(math.pi if n else 0.0)


def tolerance(n):
    # The number of hits has a binomial distribution with p = pi / 4, so the standard deviation of 4 * hits / n is
    # 4 * sqrt(p * (1 - p) / n). The tolerance is four standard deviations: a correct generator fails 1 check in 16000.
    p = math.pi / 4
    return 4 * 4 * math.sqrt(p * (1 - p) / n) if n else 0.0


def error_metrics(pi, n):
    """Return the distance of n pi / 4, the number of hits, from the nearest integer, and its limit; pi is the result.

    This detects an implementation that draws only half of the points: if n is odd, its n pi / 4 is rarely an integer.
    """
    hits = float(pi) * int(n) / 4
    return {"distance of hits from a whole number": (abs(hits - np.rint(hits)), 1e-6)}


def bytes_moved():
    return 16, 8


def flops(size):
    return 4 * size  # two products, a sum and a comparison; the generator computes with integers
