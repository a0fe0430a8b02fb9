"""Compute a linear combination of two vectors in a separate array: z[i] = a * x[i] + b * y[i], with scalars a and b.

This is PyCUDA's example of what array code costs without fusion. The expression has three array operations. Each
operation passes over memory and writes an array: per element, the three read four numbers and write three. A single
kernel reads two numbers and writes one.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Linear combination of two vectors",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 10_000_000),
        "lecture": tuple(10**k for k in range(1, 9)),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_linear_combination",
    baselines=("numpy_blocked",),
    lectures=("gtc2010",),
    check_sizes=(1_000_000,),
)


def inputs(size, dtype, rng):
    """Return numbers `a` and `b` in [1, 2), and `x` and `y`, `size` numbers each, independent and uniform in [0, 1)."""
    real = np.dtype(dtype).type
    return {
        "a": real(1 + rng.random(dtype=dtype)),
        "x": rng.random(size, dtype=dtype),
        "b": real(1 + rng.random(dtype=dtype)),
        "y": rng.random(size, dtype=dtype),
    }


def outputs(size, dtype):
    return (Output("z", (size,), dtype),)


def reference(a, x, b, y):
    """Return a * x + b * y in float64, shape (size,). For float32, products are exact and only the sum is rounded."""
    z = np.multiply(x, np.float64(a), dtype=np.float64)
    z += np.multiply(y, np.float64(b), dtype=np.float64)
    return z


def tolerance(dtype):
    """Return 2 eps, absolute: eps / 2 for rounding each of two products below 2, and eps for rounding a sum below 4.

    A fused multiply-add rounds once less, so its error is smaller. The tolerance also includes the error of the float64
    reference, 2 eps of float64.
    """
    return 2 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps)


def bytes_moved(size, itemsize):
    return 2 * size * itemsize, size * itemsize


def flops(size):
    return 3 * size
