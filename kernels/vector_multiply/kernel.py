"""Elementwise product of two vectors: out[i] = x[i] * y[i].

Two numbers are read and one is written for a single multiplication. This is the textbook example of a computation bound
by memory bandwidth. So it matters whether the result is written to a preallocated array (`out=`) or to a new array.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Vector multiplication",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 1_000_000, 4_000_000),
        "lecture": tuple(10**k for k in range(1, 9)),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_multiply",
    lectures=("icsc23", "esrf"),
    check_sizes=(1_000_000,),
)


def inputs(size, dtype, rng):
    """Return x, y: `size` numbers each, independent and uniform in [1, 2)."""
    x = rng.random(size, dtype=dtype)
    y = rng.random(size, dtype=dtype)
    x += 1
    y += 1
    return {"x": x, "y": y}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x, y):
    """Return the products in float64, shape (size,): exact for float32 factors, correctly rounded for float64 ones."""
    return np.multiply(x, y, dtype=np.float64)


def tolerance(dtype):
    """Return eps, which is half a unit in the last place of the largest products. All products are in [1, 4).

    IEEE 754 and OpenCL both require a correctly rounded multiplication, so no larger error is allowed.
    """
    return float(np.finfo(dtype).eps)


def bytes_moved(size, itemsize):
    return 2 * size * itemsize, size * itemsize


def flops(size):
    return size
