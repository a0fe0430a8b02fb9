"""Copy `size` numbers from the host to the device, or from the device to the host: out is the copy of x.

Every implementation for a device copies in one direction, which its description names. A small array takes some
microseconds, for the request. The time of a large array depends on the bus. Between these sizes, the kind of host
memory matters:

- Pageable memory is that of any NumPy array. The driver copies such an array piece by piece, through its own memory.
- Pinned (page-locked) memory is memory that the operating system may not move, so that the device can access it by DMA.
  With OpenCL, pinned memory is a buffer that the driver maps into the host's memory.

An implementation that reads from the device or from pinned memory gets its input stored there before the timing starts.
The report shows the time of this preparation as upload. An implementation that copies to pinned memory leaves its
result there. The baseline is a copy within the host's memory.
"""

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Transfer: to the device, or back",
    size="number of elements",
    sizes={
        "smoke": (1_000,),
        "default": (1, 1_000, 1_000_000),
        "lecture": (1, 3, 100, 10_000, 100_000, 1_000_000, 10_000_000),
    },
    sizes_gpu=(125_000_000,),
    dtypes=("float64",),
    baseline="numpy_copy",
    lectures=("cupy101",),
    location="host",
)


def inputs(size, dtype, rng):
    """Return x: `size` numbers, independent and uniform in [0, 1)."""
    return {"x": rng.random(size, dtype=dtype)}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x):
    """Return x unchanged, shape (size,)."""
    return x


def tolerance():
    """Return zero, because a copy must be exact."""
    return 0.0


def bytes_moved(size, itemsize):
    """Return the bytes that cross the bus. As usual, a byte counts once, although it is read and written."""
    return size * itemsize, 0


def flops():
    return 0
