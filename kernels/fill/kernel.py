"""Fill with ones: out[i] = 1.

Nothing is read and nothing computed: what counts is how fast memory is written. NumPy's ones() must get the memory as
well: the operating system provides its pages one by one, as they are first touched. A pool, such as CuPy's, hands out
memory that it has had before.

The lecture makes 100 x 500 x 500 ones in float64, 200 MB, by NumPy and by CuPy, and times the latter without waiting
for the device: the launch alone, not the filling.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Fill with ones",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 10_000_000),
        "lecture": (1_000, 10_000, 100_000, 1_000_000, 10_000_000, 25_000_000, 100_000_000),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_fill",
    lectures=("cupy101",),
    check_sizes=(1_000_000,),
)


def inputs():
    """None."""
    return {}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(size):
    """Ones, shape (size,)."""
    return np.ones(size)


def tolerance():
    """Zero: every dtype represents 1."""
    return 0.0


def bytes_moved(size, itemsize):
    return 0, size * itemsize


def flops():
    return 0
