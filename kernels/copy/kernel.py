"""Copy of a vector: out[i] = x[i].

For each element, the kernel reads one number, writes one and computes nothing. No elementwise kernel with an input
costs less. The implementations are copy functions of libraries and plain loops. If a compiler can tell that the vectors
do not overlap, it may replace a plain loop by a call of the C library's memcpy.

The lecture cupy101 copies 2**22 numbers with a kernel that cupyx.jit makes from a Python function.
"""

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Copy of a vector",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 10_000_000),
        "lecture": (1_000, 10_000, 100_000, 1_000_000, 2**22, 10_000_000, 100_000_000),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_copyto",
    lectures=("cupy101",),
    check_sizes=(1_000_000,),
)


def inputs(size, dtype, rng):
    """Return x: `size` numbers, independent and normally distributed with mean 0 and variance 1."""
    return {"x": rng.standard_normal(size, dtype=dtype)}


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
