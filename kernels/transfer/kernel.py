"""Transfer: `size` numbers from the host to the device, or from the device to the host: out = x on the other side.

Every implementation copies in one direction, and its name says which. The time of a small array is that of the request,
some microseconds; the time of a large one depends on the bus. In between, the kind of the host's memory counts:

- pageable: any NumPy array. The driver copies it, piece by piece, through memory of its own.
- pinned (page-locked): memory the operating system may not move, so that the device fetches it by itself.
- mapped: with CUDA, pinned memory that a kernel reads or writes directly; with OpenCL, a buffer lent to the host, which
  reads or writes it as its own. On a device that is the processor itself, nothing moves.

Where the numbers must first lie in a special place, on the device or in pinned memory, they are put there before
anything is timed; the report shows that, too, as upload. An implementation whose way ends in pinned or mapped memory
leaves its result there. The baseline is a copy within the host's memory.
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
    """x: `size` numbers, independent and uniform in [0, 1)."""
    return {"x": rng.random(size, dtype=dtype)}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x):
    """Return x unchanged, shape (size,)."""
    return x


def tolerance():
    """Zero: nothing is computed."""
    return 0.0


def bytes_moved(size, itemsize):
    """What crosses the bus, counted once as is usual for transfers: read on one side, written on the other."""
    return size * itemsize, 0


def flops():
    return 0
