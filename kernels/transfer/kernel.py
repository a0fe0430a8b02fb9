"""Transfer: `size` numbers from the host to the device, or from the device to the host: out = x on the other side.

Every implementation copies in one direction, which its title names. A small array takes the time of the request, some
microseconds; the time of a large array depends on the bus. In between, the kind of host memory matters:

- pageable: any NumPy array. The driver copies it, piece by piece, through its own memory.
- pinned (page-locked): memory that the operating system may not move, so that the device can access it by DMA.
- mapped: with CUDA, pinned memory that a kernel reads or writes directly; with OpenCL, a buffer mapped into the host's
  memory. On a device that is the processor itself, nothing moves.

If numbers must first be on the device or in pinned memory, they are stored there before the timing starts. The report
shows the time of that as upload. An implementation that copies to pinned or mapped memory leaves its result there. The
baseline is a copy within the host's memory.
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
    """Return zero: nothing is computed."""
    return 0.0


def bytes_moved(size, itemsize):
    """Return the bytes that cross the bus, counted once as is usual: read on one side, written on the other."""
    return size * itemsize, 0


def flops():
    return 0
