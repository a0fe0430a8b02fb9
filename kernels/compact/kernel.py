"""Compaction: copy the elements of x above 0.5 to `out`, in order, and count them.

    count = number of i with x[i] > 0.5        out[:count] = x[x > 0.5]        out[count:] = 0

The place of an element in `out` depends on all elements before it. Parallel code computes the places by a scan (prefix
sum) of flags: 1 for a selected element, 0 for any other. `out` has as many elements as x, since all elements of x may
exceed 0.5. The tail of `out` is filled with zeros, so that the whole result can be compared. In pycuda_scan and
pyopencl_scan, the kernel that stores the selected elements also fills the tail: the r-th rejected element writes a zero
to the r-th place from the end.

About half of the elements are selected, at random. No processor can predict which ones, so a loop with a
branch mispredicts half of the branches.

The lecture esrf names the pattern: "Compact: remove unused elements".
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Compaction: keep the elements above 0.5",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 10_000_000),
        "lecture": tuple(10**k for k in range(1, 8)),
    },
    sizes_gpu=(10**8,),
    dtypes=("float64", "float32"),
    baseline="numpy_take",
    baselines=("numpy_boolean_index",),
    lectures=("esrf",),
    check_sizes=(65_537, 1_000_000),
    algorithms={
        "in order": "selected numbers are stored one after the other; threads count their parts first",
        "scan": "a prefix sum gives each number its place",
    },
)


def inputs(size, dtype, rng):
    """Return x: `size` numbers, independent and uniform in [0, 1). The first is 0.5, which must not be selected."""
    x = rng.random(size, dtype=dtype)
    x[:1] = 0.5
    return {"x": x}


def outputs(size, dtype):
    return Output("out", (size,), dtype), Output("count", (), "int64")


def reference(x):
    """Return (out, count). Both are exact, since elements are only copied and counted."""
    selected = x[x > 0.5]
    return np.concatenate([selected, np.zeros(x.size - selected.size, x.dtype)]), selected.size


def tolerance():
    """Return zero for both outputs: elements are copied and counted."""
    return 0, 0


def bytes_moved(size, itemsize):
    return size * itemsize, size * itemsize + 8


def flops():
    """Return zero: there are only comparisons."""
    return 0
