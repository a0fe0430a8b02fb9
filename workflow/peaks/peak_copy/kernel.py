"""Copy bandwidth: out[i] = x[i] for vectors too large for the caches.

This bandwidth limits kernels that read as much as they write. Unless stores bypass the caches, each cache line is read
before it is written. Such a read takes time, but `bytes_moved` does not count its bytes.
"""

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Peak: memory copy",
    size="number of elements",
    sizes={"smoke": (1_000_000,), "default": (10_000_000,), "lecture": (100_000_000,)},
    sizes_gpu=(30_000_000,),
    dtypes=("float64", "float32"),
    baseline="numpy_copyto",
    check_sizes=(1_000_000,),
)


def inputs(size, dtype, rng):
    """Return x: `size` numbers, independent and uniform in [0, 1)."""
    return {"x": rng.random(size, dtype=dtype)}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x):
    """Return x itself, shape (size,)."""
    return x


def tolerance():
    """Return zero: a copy is exact."""
    return 0.0


def bytes_moved(size, itemsize):
    return size * itemsize, size * itemsize


def flops():
    return 0
