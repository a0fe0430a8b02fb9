"""Find the largest number of a vector: max(x[0], x[1], ..., x[n-1]).

This is the lecture's example of a reduction. Each element read takes one comparison. Nothing is rounded, so every order
of the comparisons gives the same number. Yet a compiler may not change the order without -ffast-math, since with NaN or
signed zeros the larger of two numbers depends on which comes first. So each comparison waits for the one before.

The inputs contain no NaN. If there were one, NumPy's maximum would be NaN. Loops and reduction kernels would ignore the
NaN or, if it comes first, might return it. The maximum of no numbers is defined as the lowest finite number, with which
most implementations start. These implementations also return this number for minus infinities alone.
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
    """Return x as in `inputs`, but with the largest number, -1, as the first, the middle or the last element.

    So an implementation that skips this element gives a wrong result. With random numbers, it rarely would.
    """
    (x,) = inputs(size, dtype, rng).values()
    x[rng.choice([0, size // 2, -1]) :][:1] = -1
    return {"x": x}


def outputs(dtype):
    return (Output("largest", (), dtype),)


def reference(x, dtype):
    """Return the largest number as a float or, if x is empty, the lowest finite number."""
    return float(np.max(x, initial=np.finfo(dtype).min))


def tolerance():
    """Return zero: the result is one of the elements."""
    return 0.0


def bytes_moved(size, itemsize):
    return size * itemsize, itemsize


def flops(size):
    """Return the number of comparisons."""
    return max(size - 1, 0)
