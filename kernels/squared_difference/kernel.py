"""Squared difference of two vectors, elementwise: out[i] = (x[i] - y[i])**2.

Two numbers read and one written for two operations: bound by memory bandwidth from a few cache sizes on, as long as the
difference never leaves the registers. One pass where a library fuses the two operations, two where it does not.

The lecture writes it for CuPy four times: with the types written out, for any type T, fused from array code, and
compiled from a Python loop. Its further examples are kernels of their own here, for they move other amounts of memory:
squared_difference_broadcast subtracts one row from every row of a matrix, squared_difference_mixed has two types.
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
    """x, y: `size` numbers each, independent and uniform in [0, 1)."""
    return {name: rng.random(size, dtype=dtype) for name in ("x", "y")}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x, y):
    """(x - y)**2 in float64, shape (size,)."""
    out = np.subtract(x, y, dtype=np.float64)
    out *= out
    return out


def tolerance(expected, dtype):
    """1.5 eps, relative: the difference is rounded by eps / 2, its square has twice that, and eps / 2 of its own.

    Relative to the result, so that x**2 - 2 x y + y**2, which loses all digits where x is close to y, is wrong. The
    float64 reference errs by as much in its own precision.
    """
    return 1.5 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps) * expected


def bytes_moved(size, itemsize):
    return 2 * size * itemsize, size * itemsize


def flops(size):
    return 2 * size
