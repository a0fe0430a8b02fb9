"""Multiply two vectors and add a scalar: out[i] = x1[i] * x2[i] + b. out is a separate array.

The CuPy lecture has an exercise: write this kernel in CUDA, and time it by events for vectors of different lengths and
blocks of different sizes. Each element takes two operations, two reads and one write, so memory bandwidth is the limit.
A library that fuses both operations passes over memory once. Without fusion there are two passes, and more traffic if
the library allocates arrays.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Multiply-add: a product and a constant",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 10_000_000),
        "lecture": tuple(10**k for k in range(1, 9)),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_multiply_add",
    baselines=("numpy_blocked",),
    lectures=("cupy101",),
    check_sizes=(1_000_000,),
)


def inputs(size, dtype, rng):
    """Return x1, x2: `size` numbers each, independent and uniform in [0, 1). b: a number in [1, 2)."""
    return {
        "x1": rng.random(size, dtype=dtype),
        "x2": rng.random(size, dtype=dtype),
        "b": np.dtype(dtype).type(1 + rng.random(dtype=dtype)),
    }


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x1, x2, b):
    """Return x1 * x2 + b in float64, shape (size,). For float32, the product is exact and only the sum is rounded."""
    out = np.multiply(x1, x2, dtype=np.float64)
    out += np.float64(b)
    return out


def tolerance(dtype):
    """Return 1.25 eps, absolute: up to eps / 4 for rounding a product below 1, and eps for rounding a sum below 3.

    A fused multiply-add rounds only once. The tolerance also includes the error of the float64 reference, 1.25 eps of
    float64.
    """
    return 1.25 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps)


def bytes_moved(size, itemsize):
    return 2 * size * itemsize, size * itemsize


def flops(size):
    return 2 * size
