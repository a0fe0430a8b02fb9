"""Scale: y[i] = factor * x[i], the lectures' "twice" for any factor.

One number read and one written for a single multiplication: the shortest kernel there is, and so the one on which the
lectures show how a kernel is written at all. The lectures' kernel works in place, a[i] *= 2; here x stays as it is.

It also shows code that is made from a template. The number of elements per thread, `unroll`, and the number of threads
per block can be written into the source before it is compiled: then the loop over a thread's elements is gone, and
offsets are constants. Which pair is best depends on the device, so all are tried (`*_template`), and the best one is
kept for this machine (`*_template_tuned`).
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
    """factor: a number in [1, 2). x: `size` numbers, independent and uniform in [1, 2)."""
    x = rng.random(size, dtype=dtype)
    x += 1
    return {"factor": np.dtype(dtype).type(1 + rng.random(dtype=dtype)), "x": x}


def outputs(size, dtype):
    return (Output("y", (size,), dtype),)


def reference(factor, x):
    """The products in float64: exact for float32 factors, correctly rounded for float64 ones. Shape (size,)."""
    return np.multiply(x, np.float64(factor), dtype=np.float64)


def tolerance(dtype):
    """eps: half a unit in the last place of the products, which lie in [1, 4), where they exceed 2.

    IEEE 754 and OpenCL both demand a correctly rounded multiplication, so nothing more is allowed.
    """
    return float(np.finfo(dtype).eps)


def bytes_moved(size, itemsize):
    return size * itemsize, size * itemsize


def flops(size):
    return size
