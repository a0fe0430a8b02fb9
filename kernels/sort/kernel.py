"""Sort the numbers of x in ascending order into a separate array, out.

The kernel compares libraries. NumPy's sort works on SIMD lanes. std::sort compares one pair at a time. A radix sort
compares nothing: it distributes the numbers by a few of their bits at a time (8 in the C code), from the lowest bits to
the highest. GPU implementations use a radix sort (CuPy calls Thrust's) or a bitonic network. The network takes about n
log2(n)**2 / 4 comparisons. The n / 2 comparisons of one step are independent of each other.

Radix sorts read the bits of a number as an unsigned integer. To give these integers the order of the numbers, the code
flips all bits of negative numbers and the sign bit of all others. NumPy sorts NaN to the end. Implementations that
compare in C++, OpenCL or CUDA, and numba_parallel, leave NaN and the numbers around it in no order. -0 equals 0, and
NumPy's sort on SIMD lanes may turn one into the other, so no check compares the signs of zeros.

There are no numexpr and Fortran implementations, since numexpr and Fortran have no sort. There is no Triton
implementation, since tl.sort sorts only the numbers of one block.

Source of the networks: K. E. Batcher, AFIPS Spring Joint Computer Conference 32 (1968) 307.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Sort",
    size="number of elements",
    sizes={
        "smoke": (1_000,),
        "default": (1_000, 100_000, 1_000_000),
        "lecture": tuple(10**k for k in range(1, 9)),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_sort",
    check_sizes=(1_000, 65_537),
    algorithms={
        "quicksort": "numbers split by a pivot, recursively; threads sort parts and merge them",
        "radix sort": "numbers distributed by their digits",
        "merge sort": "sorted parts merged, so that equal numbers stay in order",
        "bitonic network": "pairs compared in a fixed order, all pairs of a step at once",
    },
)


def inputs(size, dtype, rng):
    """Return x: `size` numbers, independent and uniform in [-1, 1). Of millions of float32 numbers, many are equal."""
    x = rng.random(size, dtype=dtype)
    x *= 2
    x -= 1
    return {"x": x}


def exact_inputs(size, dtype, rng):
    """Return x: whole numbers, each about four times, with zeros of both signs, to test sorts of equal numbers."""
    x = rng.integers(-(size // 8), size // 8 + 1, size).astype(dtype)
    x[x == 0] *= rng.choice([-1, 1], np.count_nonzero(x == 0))
    return {"x": x}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x):
    """Return the numbers in ascending order, shape (size,), by NumPy's stable sort."""
    return np.sort(x, kind="stable")


def tolerance():
    """Return zero: nothing is computed."""
    return 0


def bytes_moved(size, itemsize):
    return size * itemsize, size * itemsize


def flops(size):
    """Return zero: comparisons are not counted."""
    return 0
