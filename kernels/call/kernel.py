"""Call: y = x + 1, repeated `size` times, to measure the cost of a call from Python into compiled code.

    y = f(f(... f(x))),    f(x) = x + 1

The addition takes a nanosecond. The rest is the cost of a call, which unpacks the arguments from Python objects, finds
the function and packs the result into an object. The cost of one call is the time divided by `size`. `python_inline` is
the same loop without a call, so its time is the cost of the loop alone. In `cython_cdef` and `numba_loop`, the loop is
compiled, too: the program enters compiled code once, and the compiler may inline the function. The lesson: call
compiled code seldom, with much work in each call.

The cheapest NumPy operation is the sum of two NumPy scalars. A ufunc is made for arrays, and must first detect that its
argument is a scalar.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Call: the cost of crossing into C",
    size="number of calls",
    sizes={"smoke": (1, 100), "default": (1, 1_000), "lecture": (1, 10, 100, 1_000, 10_000, 100_000)},
    dtypes=("float64",),
    baseline="numpy_scalar",
    lectures=("icsc23", "esrf"),
)


def inputs(rng):
    """Return x: a whole number in [0, 2**20), as a float64."""
    return {"x": np.float64(rng.integers(2**20))}


def outputs():
    return (Output("y", (), "float64"),)


def reference(x, size):
    """Return x + size, which is exact, since float64 represents all whole numbers up to 2**53."""
    return x + np.float64(size)


def tolerance():
    """Return zero, since every intermediate sum is exact."""
    return 0.0


def bytes_moved(itemsize):
    return itemsize, itemsize


def flops(size):
    return size
