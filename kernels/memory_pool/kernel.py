"""Allocate an array of `size` bytes, write nothing into it, and free it, with and without a memory pool.

A request to the driver for device memory takes microseconds to milliseconds and may wait for all work on the device to
end. A pool requests memory once, keeps freed memory, and reuses it. From the second call on, a request of the same size
only searches a list. Without a pool, array code that creates new arrays in every line would be too slow on a GPU.

The baseline is numpy.empty. For small arrays, the C library's heap also keeps and reuses memory. Large arrays come from
the operating system, which provides a page only when code first writes to it. This kernel does not time such writes.
The result is the number of bytes of the array.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Memory pool: allocating and freeing an array",
    size="bytes",
    sizes={
        "smoke": (1_024,),
        "default": (1_024, 1_048_576, 268_435_456),
        "lecture": tuple(2**k for k in range(10, 31, 4)),
    },
    dtypes=("uint8",),
    baseline="numpy_empty",
    lectures=("cupy101",),
    location="host",
)


def inputs():
    """Return no inputs: the allocator only needs the size."""
    return {}


def outputs():
    return (Output("nbytes", (), "int64"),)


def reference(size):
    """Return `size`, the number of bytes of the array."""
    return np.int64(size)


def tolerance():
    return 0


def bytes_moved():
    return 0, 0


def flops():
    return 0
