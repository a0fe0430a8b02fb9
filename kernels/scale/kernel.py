"""Multiply a vector by a number: y[i] = factor * x[i].

The kernel reads one number and writes one for a single multiplication. The lectures show by this example how to write a
kernel, since it is short. The lectures' kernel "twice" works in place, a[i] *= 2. Here the factor is any number, and x
stays unchanged.

The kernel also shows code generated from a template. The template inserts the number of elements per thread, `unroll`,
and the number of threads per block into the source before compilation. This removes the loop over a thread's elements
and makes offsets constants. The best pair of numbers depends on the device, so `*_template` tries all pairs, and
`*_template_tuned` uses the best pair for this device.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Scale: a vector times a number",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 10_000_000),
        "lecture": (1_000, 100_000, 10_000_000),
    },
    sizes_gpu=(100_000_000,),
    dtypes=("float64", "float32"),
    baseline="numpy_multiply",
    lectures=("gtc2010", "icsc23"),
    check_sizes=(100_003,),
)


def inputs(size, dtype, rng):
    """Return `factor`, a number in [1, 2), and `x`, `size` numbers, independent and uniform in [1, 2)."""
    x = rng.random(size, dtype=dtype)
    x += 1
    return {"factor": np.dtype(dtype).type(1 + rng.random(dtype=dtype)), "x": x}


def outputs(size, dtype):
    return (Output("y", (size,), dtype),)


def reference(factor, x):
    """Return the products in float64, shape (size,): exact for float32 inputs, correctly rounded for float64 inputs."""
    return np.multiply(x, np.float64(factor), dtype=np.float64)


def tolerance(dtype):
    """Return eps, half a unit in the last place of products in [2, 4); all products are in [1, 4).

    IEEE 754 and OpenCL both require a correctly rounded multiplication, so no larger error is allowed.
    """
    return float(np.finfo(dtype).eps)


def bytes_moved(size, itemsize):
    return size * itemsize, size * itemsize


def flops(size):
    return size
