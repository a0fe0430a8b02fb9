"""Write bandwidth: out[i] = a for a vector too large for the caches.

This bandwidth limits kernels that only write. It is measured only if such a kernel is selected. Unless stores bypass
the caches, each cache line is read before it is written. Such a read takes time, but `bytes_moved` does not count its
bytes.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Peak: memory write",
    size="number of elements",
    sizes={"smoke": (1_000_000,), "default": (10_000_000,), "lecture": (100_000_000,)},
    sizes_gpu=(30_000_000,),
    dtypes=("float64", "float32"),
    baseline="numpy_fill",
    check_sizes=(1_000_000,),
)


def inputs(dtype, rng):
    """Return `a`, a number in [1, 2)."""
    return {"a": np.dtype(dtype).type(1 + rng.random(dtype=dtype))}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(a, size):
    """Return an array of shape (size,) in which each element is `a`."""
    return np.broadcast_to(a, size)


def tolerance():
    """Return zero: `a` itself is stored."""
    return 0.0


def bytes_moved(size, itemsize):
    return 0, size * itemsize


def flops():
    return 0
