"""Overlap of copies and computation: the device computes out = 2 * x for an array on the host.

Without overlap, the bus carries x to the device, the device computes, and the bus carries the result back; each step
waits for the one before. If several streams (CUDA) or queues (OpenCL) process x in chunks, one chunk is uploaded while
another is computed and a third is downloaded. The bus carries data in both directions at the same time, and the
computation is short, so overlap can at most double the speed. Many chunks overlap well, but enqueuing each takes some
microseconds.

Copies overlap only if the device accesses the host's memory by DMA, which requires page-locked memory. cupy_sequential
and the implementations with streams or queues use such memory: x is stored there before the timing starts, and the
result stays there. The other implementations on a GPU use ordinary, pageable memory, and allocate memory on the device
in each call. Both take additional time.

The baseline is NumPy, whose array is already on the host.
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
    """Return x: `size` numbers, independent and uniform in [0, 1)."""
    return {"x": rng.random(size, dtype=dtype)}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x):
    """Return 2 * x in float64, shape (size,)."""
    return np.multiply(x, 2, dtype=np.float64)


def tolerance():
    """Return zero: doubling is exact."""
    return 0.0


def bytes_moved(size, itemsize):
    return size * itemsize, size * itemsize


def flops(size):
    return size
