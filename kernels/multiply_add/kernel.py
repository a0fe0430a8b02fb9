"""Multiply-add: out[i] = x1[i] * x2[i] + b, with a scalar b, into a separate array.

An exercise of the CuPy lecture: write the kernel in CUDA, and time it by events for different lengths and blocks. Two
operations on two numbers read and one written are bound by memory bandwidth. A library that fuses both operations takes
one pass, one that does not takes two, and one that allocates arrays takes more.
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
    """Return x1 * x2 + b in float64, shape (size,): for float32 an exact product and one rounding."""
    out = np.multiply(x1, x2, dtype=np.float64)
    out += np.float64(b)
    return out


def tolerance(dtype):
    """Return 1.25 eps, absolute: a product below 1 is rounded by eps / 4, and a sum below 3 by eps, at most.

    A fused multiply-add rounds only once. The error of the float64 reference is as large in its own precision.
    """
    return 1.25 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps)


def bytes_moved(size, itemsize):
    return 2 * size * itemsize, size * itemsize


def flops(size):
    return 2 * size
