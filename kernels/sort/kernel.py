"""Sort: out has the numbers of x in ascending order.

Library against library. NumPy's sort works on SIMD lanes, std::sort and qsort compare one pair at a time, and differ in
whether the comparison is compiled into the sort or called through a pointer. A radix sort compares nothing: it
distributes the numbers by 8 of their bits at a time, from the last to the first. GPUs sort by radix (CuPy, by Thrust)
or by a bitonic network: n log(n)**2 comparisons, of which the n / 2 of one step are independent of each other.

A number's bits, as an unsigned integer, are in the order of the numbers once all bits of negative numbers and the sign
bit of all others are flipped. NaN goes to the end in NumPy; comparisons in C, C++, OpenCL and CUDA leave it, and the
numbers around it, in no order. -0 equals 0. NumPy's sort on SIMD lanes may make one of the other, so that no check
looks at the signs of zeros.

Not here: numexpr and Fortran, which have no sort, and Triton, whose own (tl.sort) sorts only what a block holds.

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
        "quicksort": "parts below and above a pivot, again and again; threads sort parts, which are merged",
        "radix sort": "numbers dealt out by their digits",
        "merge sort": "sorted parts merged, so that equal numbers stay in order",
        "bitonic network": "pairs compared in a fixed order, all pairs of a step at once",
    },
)


def inputs(size, dtype, rng):
    """x: `size` numbers, independent and uniform in [-1, 1); many are equal in float32 where there are millions."""
    x = rng.random(size, dtype=dtype)
    x *= 2
    x -= 1
    return {"x": x}


def exact_inputs(size, dtype, rng):
    """x: whole numbers, each some four times, zeros with either sign. Random float64 numbers are never equal."""
    x = rng.integers(-(size // 8), size // 8 + 1, size).astype(dtype)
    x[x == 0] *= rng.choice([-1, 1], np.count_nonzero(x == 0))
    return {"x": x}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x):
    """The numbers in ascending order, shape (size,), by NumPy's stable sort, which is not its default one."""
    return np.sort(x, kind="stable")


def tolerance():
    """Nothing is computed, and nothing may differ."""
    return 0


def bytes_moved(size, itemsize):
    return size * itemsize, size * itemsize


def flops(size):
    """None: comparisons are not counted."""
    return 0
