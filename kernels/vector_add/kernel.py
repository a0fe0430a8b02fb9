"""Elementwise sum of two vectors: out[i] = x[i] + y[i].

The "hello world" of data parallel programming: every element is independent, and two numbers are read and one written
for a single addition, so that memory bandwidth is all that counts from a few cache sizes on.

One lecture launches a kernel without a bounds check, with an argument too many, and another launches one with fewer
arguments than it has parameters. All kernels here are told the length, and leave alone what lies beyond it.
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
    """x, y: `size` numbers each, independent and uniform in [0, 1)."""
    return {name: rng.random(size, dtype=dtype) for name in ("x", "y")}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x, y):
    """The sums in float64: exact for float32 terms, correctly rounded for float64 ones. Shape (size,)."""
    return np.add(x, y, dtype=np.float64)


def tolerance(dtype):
    """eps / 2: half a unit in the last place of the sums, which are below 2.

    IEEE 754 and OpenCL both demand a correctly rounded addition, so nothing more is allowed.
    """
    return float(np.finfo(dtype).eps) / 2


def bytes_moved(size, itemsize):
    return 2 * size * itemsize, size * itemsize


def flops(size):
    return size
