"""Add a scaled vector to a vector (SAXPY): out[i] = a * x[i] + y[i], with a scalar a. out is a separate array.

The kernel reads two numbers and writes one for a multiplication and an addition. For vectors a few times larger than
the caches, memory bandwidth is the limit, so the time depends on the number of passes over the vectors. A library that
fuses both operations takes one pass. Without fusion there are two passes, and more traffic if the library allocates
arrays.

The lecture compares a PyCUDA saxpy that works in place, y += a * x, with a Numba saxpy that returns a new array. These
two do different work. Here all implementations leave x and y unchanged. If an implementation returns a new array
instead of filling the preallocated one, its description says so.
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
    """Return `a`, a number in [1, 2), and `x` and `y`, `size` numbers each, independent and uniform in [0, 1)."""
    return {
        "a": np.dtype(dtype).type(1 + rng.random(dtype=dtype)),
        "x": rng.random(size, dtype=dtype),
        "y": rng.random(size, dtype=dtype),
    }


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(a, x, y):
    """Return a * x + y in float64, shape (size,). For float32, the product is exact and only the sum is rounded."""
    out = np.multiply(x, np.float64(a), dtype=np.float64)
    out += y
    return out


def tolerance(dtype):
    """Return 1.5 eps, absolute: up to eps / 2 for rounding a product below 2, and eps for rounding a sum below 3.

    A fused multiply-add rounds only once. The tolerance also includes the error of the float64 reference, 1.5 eps of
    float64.
    """
    return 1.5 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps)


def bytes_moved(size, itemsize):
    return 2 * size * itemsize, size * itemsize


def flops(size):
    return 2 * size
