"""Bandwidth of two reads and one write: out[i] = x[i] + a * y[i] for vectors too large for the caches.

This is the triad of STREAM (McCalpin, Memory bandwidth and machine balance in current high performance computers,
1995), and the roof of kernels that read about twice as much as they write. Bytes are counted as in STREAM: additional
reads caused by a write count as time.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Peak: memory triad",
    size="number of elements",
    sizes={"smoke": (1_000_000,), "default": (10_000_000,), "lecture": (100_000_000,)},
    sizes_gpu=(30_000_000,),
    dtypes=("float64", "float32"),
    baseline="numpy_triad",
    check_sizes=(1_000_000,),
)


def inputs(size, dtype, rng):
    """Return a: a number in [1, 2). x, y: `size` numbers each, independent and uniform in [0, 1)."""
    return {
        "a": np.dtype(dtype).type(1 + rng.random(dtype=dtype)),
        "x": rng.random(size, dtype=dtype),
        "y": rng.random(size, dtype=dtype),
    }


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(a, x, y):
    """Return x + a * y in float64, shape (size,). For float32, the product is exact, and only the sum is rounded."""
    return np.multiply(y, np.float64(a), dtype=np.float64) + x


def tolerance(dtype):
    """Return 3 eps, absolute: twice the largest rounding errors, eps / 2 of a product below 2 and eps of a sum below 3.

    A fused multiply-add rounds once. The factor 2 is for the float64 reference, which is rounded, too.
    """
    return 3 * float(np.finfo(dtype).eps)


def bytes_moved(size, itemsize):
    return 2 * size * itemsize, size * itemsize


def flops(size):
    return 2 * size
