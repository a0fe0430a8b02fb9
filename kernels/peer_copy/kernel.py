"""Copy an array from the memory of one GPU to the memory of another GPU (peer copy): there = x.

In a direct copy, one GPU writes into the other GPU's memory, over NVLink or the bus. A copy through the host takes two
transfers: from one GPU into page-locked memory, and from there to the other GPU. Except for PyCUDA's upload through the
host, copies are asynchronous, in the first GPU's stream. The baseline is a copy within the host's memory.
"""

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Copy from one GPU to another",
    size="number of elements",
    sizes={
        "smoke": (1_000,),
        "default": (1_000, 1_000_000),
        "lecture": (1_000, 10_000, 100_000, 1_000_000, 10_000_000),
    },
    sizes_gpu=(100_000_000,),
    dtypes=("float64",),
    baseline="numpy_copy",
    lectures=("icsc23",),
)


def inputs(size, dtype, rng):
    """Return x: `size` numbers, independent and uniform in [0, 1)."""
    return {"x": rng.random(size, dtype=dtype)}


def outputs(size, dtype):
    return (Output("there", (size,), dtype),)


def reference(x):
    """Return x unchanged, shape (size,)."""
    return x


def tolerance():
    """Return zero: nothing is computed."""
    return 0.0


def bytes_moved(size, itemsize):
    return size * itemsize, size * itemsize


def flops():
    return 0
