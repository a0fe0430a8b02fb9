"""Squared difference of two vectors, elementwise: out[i] = (x[i] - y[i])**2.

Two numbers are read and one is written for two operations. For vectors a few times larger than the caches, memory
bandwidth is the limit if the difference stays in registers. A library that fuses both operations takes one pass, and
one that does not takes two.

The lecture writes it for CuPy four times: with the types written out, for any type T, fused from array code, and
compiled from a Python loop. The lecture's further examples are separate kernels here, as they move other amounts of
memory: squared_difference_broadcast subtracts one row from every row of a matrix, squared_difference_mixed has two
types.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Squared difference",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 10_000_000),
        "lecture": tuple(10**k for k in range(1, 9)),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_subtract",
    baselines=("numpy_blocked",),
    lectures=("cupy101",),
    check_sizes=(1_000_000,),
)


def inputs(size, dtype, rng):
    """Return x, y: `size` numbers each, independent and uniform in [0, 1)."""
    return {name: rng.random(size, dtype=dtype) for name in ("x", "y")}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x, y):
    """Return (x - y)**2 in float64, shape (size,)."""
    out = np.subtract(x, y, dtype=np.float64)
    out *= out
    return out


def tolerance(expected, dtype):
    """Return 1.5 eps, relative: the rounding error of the difference, eps / 2, counts twice; the square adds eps / 2.

    The formula x**2 - 2 x y + y**2 exceeds this tolerance, as it loses all digits where x is close to y. The float64
    reference has the same bound with float64's eps, which is added.
    """
    return 1.5 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps) * expected


def bytes_moved(size, itemsize):
    return 2 * size * itemsize, size * itemsize


def flops(size):
    return 2 * size
