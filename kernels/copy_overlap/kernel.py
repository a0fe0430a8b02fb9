"""Copy and compute overlapped: out = 2 * x for an array on the host, computed on the device.

Sequentially, the bus carries x to the device, the device computes, the bus carries the result back, and each step waits
for the one before. With chunks in several streams (CUDA) or queues (OpenCL), one chunk goes up while another is
computed and a third comes down. The bus carries both directions at a time, and little is computed here, so twice the
speed is the most there is to gain. Many chunks overlap well, but each costs some microseconds to enqueue.

Copies overlap only where the device fetches the host's memory by itself: it must therefore be page-locked. Sequential
implementations and those in streams keep their numbers in such memory: x is put there before anything is timed, and the
result is left there. Those that leave the numbers in ordinary, pageable memory say so; the time that they lose against
the sequential ones is its price.

The baseline is NumPy, whose array is already where it is needed.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Upload, compute and download, overlapped",
    size="number of elements",
    sizes={
        "smoke": (10_000,),
        "default": (100_000, 10_000_000),
        "lecture": (10_000, 100_000, 1_000_000, 10_000_000),
    },
    sizes_gpu=(100_000_000,),
    dtypes=("float64", "float32"),
    baseline="numpy_multiply",
    lectures=("cupy101",),
    location="host",
)


def inputs(size, dtype, rng):
    """x: `size` numbers, independent and uniform in [0, 1)."""
    return {"x": rng.random(size, dtype=dtype)}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x):
    """2 * x in float64, shape (size,)."""
    return np.multiply(x, 2, dtype=np.float64)


def tolerance():
    """Zero: doubling is exact."""
    return 0.0


def bytes_moved(size, itemsize):
    return size * itemsize, size * itemsize


def flops(size):
    return size
