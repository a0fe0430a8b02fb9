"""Copy of a vector: out[i] = x[i].

One number is read and one written, and nothing is computed. This is the least that an elementwise kernel costs, and it
shows how the libraries' own copies compare with loops that anyone can write. Where a compiler can tell that the vectors
do not overlap, it replaces such a loop by a call of the C library's memcpy.

The lecture copies 2**22 numbers by a kernel that cupyx.jit made from a Python function.
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
    """x: `size` numbers, independent and normally distributed with mean 0 and variance 1."""
    return {"x": rng.standard_normal(size, dtype=dtype)}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x):
    """x itself, shape (size,)."""
    return x


def tolerance():
    """Zero: a copy is exact."""
    return 0.0


def bytes_moved(size, itemsize):
    return size * itemsize, size * itemsize


def flops():
    return 0
