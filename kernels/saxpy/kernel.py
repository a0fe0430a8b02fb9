"""SAXPY: out[i] = a * x[i] + y[i], with a scalar a, into a separate array.

Two numbers are read and one is written for a multiplication and an addition. Vectors a few times larger than the caches
are bound by memory bandwidth, so the number of passes over them decides. A library that fuses both operations takes one
pass, one that does not takes two, and one that allocates arrays takes more.

The lecture compares a PyCUDA saxpy that works in place, y += a * x, with a Numba one that returns a new array: not the
same work. Here all leave x and y unchanged. Those that return a new array instead of filling the preallocated one say
so in their titles.
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
    """Return a: a number in [1, 2). x, y: `size` numbers each, independent and uniform in [0, 1)."""
    return {
        "a": np.dtype(dtype).type(1 + rng.random(dtype=dtype)),
        "x": rng.random(size, dtype=dtype),
        "y": rng.random(size, dtype=dtype),
    }


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(a, x, y):
    """Return a * x + y in float64, shape (size,): for float32 an exact product and one rounding."""
    out = np.multiply(x, np.float64(a), dtype=np.float64)
    out += y
    return out


def tolerance(dtype):
    """Return 1.5 eps, absolute: a product below 2 is rounded by eps / 2, and a sum below 3 by eps, at most.

    A fused multiply-add rounds only once. The error of the float64 reference is as large in its own precision.
    """
    return 1.5 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps)


def bytes_moved(size, itemsize):
    return 2 * size * itemsize, size * itemsize


def flops(size):
    return 2 * size
