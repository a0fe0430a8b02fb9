"""Launch a kernel that does nothing, to measure the time of a launch.

Every call goes from Python into a library. On a device, the call also goes through a driver and over a bus. The time
`launch` is the host's time for a launch, without waiting for the device. `call` is the time until the device has
finished. `compute` is the time between consecutive launches on the device. The baseline is numpy.positive, NumPy's
cheapest ufunc, on a vector of one element.

In the lecture gtc2010, the CPU only controls the GPU, with about a thousand launches a second. This kernel measures how
many launches a second are possible.
"""

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Launch: a kernel that does nothing",
    size="number of unchanged elements",
    sizes={"smoke": (1,), "default": (1,), "lecture": (1,)},
    dtypes=("float64",),
    baseline="numpy_positive",
    lectures=("gtc2010",),
)


def inputs(size, dtype, rng):
    """Return x: `size` numbers, independent and uniform in [0, 1)."""
    return {"x": rng.random(size, dtype=dtype)}


def outputs(size, dtype):
    return (Output("x", (size,), dtype, inout=True),)


def reference(x):
    """Return x unchanged, shape (size,)."""
    return x


def tolerance():
    """Return zero: no element of x may change."""
    return 0.0


def bytes_moved():
    return 0, 0


def flops():
    return 0
