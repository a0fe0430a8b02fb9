"""Random fill: an array of `size` numbers, independent and uniform on [0, 1).

Every implementation draws from a generator of its own, made once, with a fixed seed, before anything is timed, as one
does: what is timed is drawing the next `size` numbers. Generators differ in what they carry from one number to the
next. The Mersenne Twister has 2.5 kB of it, and each number waits for the one before; a counter-based generator hashes
the number's place in the sequence, so that any thread can draw any number. That is why GPUs prefer the latter, and why
the plain C loop here, which is one, vectorises.

The dtype is the precision drawn: float32 numbers have at least 23 random bits, float64 ones at least 52, but for those
generators that say otherwise. Some round to 1 what lies next to it, cuRAND leaves out 0 instead: both ends are allowed.

What can be said of each number is said here: it lies between 0 and 1. That all of them together are uniform, of the
right mean and variance, and do not follow from one another, is judged by tests/kernels/test_random_fill.py.
"""

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
)


def inputs():
    """None: the seed is the generator's."""
    return {}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(size):
    """The middle of the interval, shape (size,)."""
    return np.broadcast_to(0.5, size)


def tolerance():
    """Half the interval's length: no number is below 0, above 1, or left as it was."""
    return 0.5


def bytes_moved(size, itemsize):
    return 0, size * itemsize


def flops():
    """None that must be: drawing is integer work, of which each generator has its own amount."""
    return 0
