"""Fill an array with `size` random numbers, independent and uniform on [0, 1).

Every implementation creates its generator once, with a fixed seed, before the timing starts, as is usual. The measured
time is the time for the next `size` numbers. Generators differ in the state that they carry from one number to the
next. The Mersenne Twister has 2.5 kB of state, and each number waits for the one before. A counter-based generator
hashes the number's index in the sequence, so any thread can draw any number. Counter-based generators therefore suit
GPUs. The C loop of this kernel uses one, too, so the compiler can vectorise the loop.

The dtype is the precision of the numbers: float32 numbers have at least 23 random bits, float64 numbers at least 52,
or 32 in some of cuRAND's generators. Both 0 and 1 are allowed: some generators round numbers just below 1 to
1, while cuRAND excludes 0.

Each number must lie between 0 and 1. All numbers together must pass the statistical tests of `error_metrics`.

The tests see two calls. They cannot tell how an implementation makes the numbers: it passes even if each call shifts
the same fixed numbers by another amount, modulo 1. Read an implementation before you trust its time.
"""

import math

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Random fill: uniform random numbers",
    size="number of elements",
    sizes={
        "smoke": (1_000,),
        "default": (1_000, 100_000, 10_000_000),
        "lecture": (1_000, 10_000, 100_000, 1_000_000, 10_000_000),
    },
    sizes_gpu=(100_000_000,),
    dtypes=("float64", "float32"),
    baseline="numpy_sfc64",
    lectures=("gtc2010",),
    check_sizes=(65_537,),
    algorithms={
        "SplitMix64": "the k-th number is a hash of k, so that numbers can be computed in any order",
        "SFC64": "a generator with a state of 256 bits, which must compute its numbers one after the other",
        "PCG64": "a linear congruential generator of 128 bits, whose output is permuted",
        "xoshiro256+": "a generator with a state of 256 bits, which must compute its numbers one after the other",
        "XORWOW": "cuRAND's default, a generator for each thread",
        "MRG32k3a": "two recurrences combined, a generator for each thread",
    },
)
CHUNK = 1 << 17  # numbers that the tests read at a time, so that temporary arrays fit the cache
SAMPLE = 1 << 16  # numbers that the test of the distribution sorts
SIGMAS = 6  # allowed deviation, in standard deviations
RANDOM_BITS = {"float64": 32, "float32": 23}  # minimum number of bits; some of cuRAND's float64 numbers have 32


def inputs():
    """Return no inputs: the seed belongs to the generator."""
    return {}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(size):
    """Return the middle of the interval, shape (size,)."""
    return np.broadcast_to(0.5, size)


def tolerance():
    """Return half the interval's length, so that the check rejects numbers below 0, above 1, or unwritten."""
    return 0.5


def error_metrics(out, again, size, dtype):
    """Return {test: (deviation, limit)} for moments, independence of neighbours, distribution, and repeated numbers.

    Mean, variance and mean product of neighbours may deviate by 6 standard deviations from the values for uniform,
    independent numbers. A correct generator exceeds this limit once in 500 million times. The distribution function of
    a sample of m numbers may deviate by sqrt(14 / m). A larger deviation has a probability of at most 2 exp(-28)
    (Massart, Annals of Probability 18 (1990) 1269). The last two tests count equal numbers within a call and between
    two calls. The number of equal pairs has a Poisson distribution. The limit is the mean plus 6 standard deviations
    plus 3 pairs. The 3 pairs matter if the mean is near zero.
    """
    if size == 0:
        return {}
    total = squares = products = 0.0
    for start in range(0, size, CHUNK):
        centred = out[start : start + CHUNK + 1].astype(np.float64) - 0.5
        products += float(centred[1:] @ centred[:-1])
        centred = centred[:CHUNK]
        total += float(centred.sum())
        squares += float(centred @ centred)
    sample = np.sort(out if size <= SAMPLE else out[np.random.default_rng(size).choice(size, SAMPLE, replace=False)])
    count = sample.size
    shares = np.arange(count + 1) / count
    return {
        "mean": (abs(total / size), SIGMAS * math.sqrt(1 / 12 / size)),
        "variance": (abs(squares / size - 1 / 12), SIGMAS * math.sqrt(1 / 180 / size)),
        "product of neighbours": (abs(products / size), SIGMAS * math.sqrt(1 / 144 / size)),
        "distribution": (max(np.max(sample - shares[:-1]), np.max(shares[1:] - sample)), math.sqrt(14 / count)),
        "numbers drawn twice": (
            np.count_nonzero(sample[1:] == sample[:-1]),
            coincidences(count * (count - 1) / 2, dtype),
        ),
        "numbers repeated from the previous call": (np.count_nonzero(out == again["out"]), coincidences(size, dtype)),
    }


def coincidences(pairs, dtype):
    """Return how many of `pairs` pairs of random numbers may consist of two equal numbers."""
    expected = pairs / 2 ** RANDOM_BITS[dtype]
    return expected + SIGMAS * math.sqrt(expected) + 3


def bytes_moved(size, itemsize):
    return 0, size * itemsize


def flops():
    """Return zero: generators compute with integers, and the number of operations depends on the generator."""
    return 0
