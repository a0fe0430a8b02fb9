"""Fill with ones: out[i] = 1.

The kernel reads and computes nothing: the speed of writing to memory is the limit. NumPy's ones() must also allocate
memory. The operating system provides the pages of this memory one by one, when each page is first touched. A memory
pool, such as CuPy's, reuses memory.

The lecture cupy101 makes 100 x 500 x 500 ones in float64, 200 MB, by NumPy and by CuPy. The lecture does not wait for
the device when it times CuPy, so its time includes the launch, but not the filling.
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
    """Return no inputs."""
    return {}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(size):
    """Return ones, shape (size,)."""
    return np.ones(size)


def tolerance():
    """Return zero: every dtype represents 1."""
    return 0.0


def bytes_moved(size, itemsize):
    return 0, size * itemsize


def flops():
    return 0
