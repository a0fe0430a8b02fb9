"""Largest number of a vector: m = max(x[0], x[1], ..., x[n-1]).

The lecture's example of a reduction. It takes one comparison per element read, and nothing rounds, so every order gives
the same number. Compilers still need permission: with NaN and signed zeros, the larger of two numbers depends on their
order. Without -ffast-math each comparison waits for the one before. The inputs contain no NaN. With a NaN, NumPy's
maximum is NaN, while loops and reduction kernels ignore it or, if it comes first, may return it. The maximum of no
numbers, or of minus infinities alone, is the lowest finite number, the start value of reductions.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Maximum of a vector",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 10_000_000),
        "lecture": tuple(10**k for k in range(1, 9)),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_max",
    lectures=("esrf",),
    check_sizes=(1_000_000,),
    algorithms={
        "partial maxima": "several partial maxima, in SIMD lanes or threads, and finally the largest of them",
        "in order": "one comparison after the other; each thread compares its own part",
    },
)


def inputs(size, dtype, rng):
    """Return x: `size` numbers, independent and uniform in [-2, -1).

    All are negative, so that a computation that starts from 0 gives a wrong result.
    """
    x = rng.random(size, dtype=dtype)
    x -= 2
    return {"x": x}


def exact_inputs(size, dtype, rng):
    """Return x as above, but with the largest number, -1, at one end or in the middle.

    So the result is wrong if this element is skipped. Random numbers hardly reveal that.
    """
    (x,) = inputs(size, dtype, rng).values()
    x[rng.choice([0, size // 2, -1]) :][:1] = -1
    return {"x": x}


def outputs(dtype):
    return (Output("largest", (), dtype),)


def reference(x, dtype):
    """Return the largest number as a float; for no numbers the lowest finite one, the start value of reductions."""
    return float(np.max(x, initial=np.finfo(dtype).min))


def tolerance():
    """Return zero: the result is one of the elements."""
    return 0.0


def bytes_moved(size, itemsize):
    return size * itemsize, itemsize


def flops(size):
    """Return the number of comparisons."""
    return max(size - 1, 0)
