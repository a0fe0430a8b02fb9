"""SAXPY: out[i] = a * x[i] + y[i], with a scalar a, into an array of its own.

Two numbers read and one written for a multiplication and an addition: bound by memory bandwidth from a few cache sizes
on, so that what counts is how often a library walks over the vectors. One pass where it fuses the two operations, two
where it does not, more where it allocates.

The lecture compares a PyCUDA saxpy that works in place, y += a * x, with a Numba one that returns a new array: not the
same work. Here all leave x and y as they are; those that return a new array rather than fill the one they are given
say so in their titles.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="SAXPY: scaled vector addition",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 10_000_000),
        "lecture": tuple(10**k for k in range(1, 9)),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_saxpy",
    baselines=("numpy_blocked",),
    lectures=("firenze",),
    check_sizes=(1_000_000,),
)


def inputs(size, dtype, rng):
    """a: a number in [1, 2). x, y: `size` numbers each, independent and uniform in [0, 1)."""
    return {
        "a": np.dtype(dtype).type(1 + rng.random(dtype=dtype)),
        "x": rng.random(size, dtype=dtype),
        "y": rng.random(size, dtype=dtype),
    }


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(a, x, y):
    """a * x + y in float64, shape (size,): for float32 an exact product and one rounding."""
    out = np.multiply(x, np.float64(a), dtype=np.float64)
    out += y
    return out


def tolerance(dtype):
    """1.5 eps, absolute: product below 2 and sum below 3 are rounded by eps / 2 and eps at most.

    A fused multiply-add rounds once and so stays below. The float64 reference errs by as much in its own precision.
    """
    return 1.5 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps)


def bytes_moved(size, itemsize):
    return 2 * size * itemsize, size * itemsize


def flops(size):
    return 2 * size
