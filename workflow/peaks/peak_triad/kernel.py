"""Bandwidth of two reads and one write: out[i] = x[i] + a * y[i] for vectors too large for the caches.

This is the triad of STREAM (McCalpin, Memory bandwidth and machine balance in current high performance computers,
1995). This bandwidth limits kernels that read about twice as much as they write. Bytes are counted as in STREAM: the
read of a cache line before the line is written takes time, but the bytes of this read do not count.
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
    """Return `a`, a number in [1, 2), and `x` and `y`, `size` numbers each, independent and uniform in [0, 1)."""
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
    """Return the absolute tolerance 3 eps, twice the largest rounding error.

    The product, below 2, has an error of at most eps / 2. The sum, below 3, has an error of at most eps. A fused
    multiply-add rounds once. The factor 2 covers the rounding of the float64 reference.
    """
    return 3 * float(np.finfo(dtype).eps)


def bytes_moved(size, itemsize):
    return 2 * size * itemsize, size * itemsize


def flops(size):
    return 2 * size
