"""Memory pool: take an array of `size` bytes from an allocator, write nothing into it, and give it back.

Asking the driver for device memory takes microseconds to milliseconds and may wait for all work on the device to end. A
pool asks once, keeps the memory that it is given back, and hands it out again: from the second call on, the same size
costs a look into a list. That is why array code which makes new arrays in every line is bearable on a GPU at all.

The baseline is numpy.empty, whose heap does the same for small arrays. It gets large ones from the operating system,
which promises memory and finds it page by page when it is written; that is not timed here. The same goes for some
OpenCL drivers. The result is the number of bytes of the array.
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
    """None: an allocator is only told the size."""
    return {}


def outputs():
    return (Output("nbytes", (), "int64"),)


def reference(size):
    """`size`, exactly."""
    return np.int64(size)


def tolerance():
    return 0


def bytes_moved():
    return 0, 0


def flops():
    return 0
