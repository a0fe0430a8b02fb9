"""Elementwise product of two vectors: out[i] = x[i] * y[i].

Two numbers read and one written for a single multiplication: the textbook case of a computation bound by memory
bandwidth, where it counts whether the result goes into memory that is there already (`out=`) or into new pages.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Vector multiplication",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 1_000_000, 10_000_000),
        "lecture": tuple(10**k for k in range(1, 9)),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_multiply",
    lectures=("icsc23", "esrf"),
    check_sizes=(1_000_000,),
)


def inputs(size, dtype, rng):
    """x, y: `size` numbers each, independent and uniform in [1, 2)."""
    x = rng.random(size, dtype=dtype)
    y = rng.random(size, dtype=dtype)
    x += 1
    y += 1
    return {"x": x, "y": y}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x, y):
    """The products in float64: exact for float32 factors, correctly rounded for float64 ones. Shape (size,)."""
    return np.multiply(x, y, dtype=np.float64)


def tolerance(dtype):
    """eps: half a unit in the last place of the products, which lie in [1, 4), where they exceed 2.

    IEEE 754 and OpenCL both demand a correctly rounded multiplication, so nothing more is allowed.
    """
    return float(np.finfo(dtype).eps)


def bytes_moved(size, itemsize):
    return 2 * size * itemsize, size * itemsize


def flops(size):
    return size
