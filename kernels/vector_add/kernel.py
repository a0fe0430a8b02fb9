"""Elementwise sum of two vectors: out[i] = x[i] + y[i].

This is the "hello world" of data parallel programming, because every element is independent. Two numbers are read and
one is written for a single addition. So memory bandwidth is the limit for vectors a few times larger than the caches.

One lecture launches a CUDA kernel that has no bounds check, and passes one argument too many. Another lecture passes
fewer arguments than its kernel has parameters. Here all GPU kernels get the length and access nothing beyond it.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Vector addition",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 10_000_000),
        "lecture": tuple(10**k for k in range(1, 9)),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_add",
    lectures=("icsc23", "esrf", "cupy101"),
    check_sizes=(1_000_000,),
)


def inputs(size, dtype, rng):
    """Return x, y: `size` numbers each, independent and uniform in [0, 1)."""
    return {name: rng.random(size, dtype=dtype) for name in ("x", "y")}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x, y):
    """Return the sums in float64, shape (size,): exact for float32 terms, correctly rounded for float64 ones."""
    return np.add(x, y, dtype=np.float64)


def tolerance(dtype):
    """Return eps / 2: half a unit in the last place of the sums, which are below 2.

    IEEE 754 and OpenCL both require a correctly rounded addition, so no larger error is allowed.
    """
    return float(np.finfo(dtype).eps) / 2


def bytes_moved(size, itemsize):
    return 2 * size * itemsize, size * itemsize


def flops(size):
    return size
