"""Largest number of a vector: m = max(x[0], x[1], ..., x[n-1]).

The lecture's example of a reduction. One comparison per element read, and nothing that rounds, so every order gives the
same number. Compilers need permission all the same: with NaN and signed zeros, the larger of two numbers depends on
their order, and without -ffast-math each comparison waits for the one before. There are no NaN here. Where there is
one, NumPy's maximum is NaN, while loops and reduction kernels pass it over or, if it comes first, may keep it. The
maximum of no numbers, or of minus infinities alone, is the lowest finite number, where reductions start.
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
        "partial maxima": "several maxima side by side, in SIMD lanes or threads, and the largest of them in the end",
        "in order": "one comparison after the other; threads have a part each",
    },
)


def inputs(size, dtype, rng):
    """x: `size` numbers, independent and uniform in [-2, -1).

    All are negative, so that a computation that starts from 0 gives a wrong result.
    """
    x = rng.random(size, dtype=dtype)
    x -= 2
    return {"x": x}


def exact_inputs(size, dtype, rng):
    """x: as above, but with -1, the largest, at one end or in the middle: random numbers hardly show a skipped
    element."""
    (x,) = inputs(size, dtype, rng).values()
    x[rng.choice([0, size // 2, -1]) :][:1] = -1
    return {"x": x}


def outputs(dtype):
    return (Output("largest", (), dtype),)


def reference(x, dtype):
    """The largest number, as a float; for no numbers the lowest finite one of the dtype, where reductions start."""
    return float(np.max(x, initial=np.finfo(dtype).min))


def tolerance():
    """Zero: the result is one of the elements."""
    return 0.0


def bytes_moved(size, itemsize):
    return size * itemsize, itemsize


def flops(size):
    """Comparisons."""
    return max(size - 1, 0)
