"""Histogram: counts of the numbers in each of 2**bits equal parts of [0, 1).

    counts[k] = number of i with k <= 2**bits x[i] < k + 1,   k = 0, 1, ..., 2**bits - 1

The number of bins is a power of two, so that 2**bits x is exact in any precision. The whole part of this product is the
bin. It does not depend on rounding, so a count is either right or wrong.

The bin of a number is known only after the number has been read, and two numbers may be in the same bin. On one core, a
loop counts the numbers. If threads count in one shared histogram, they need atomic additions, which wait for each other
if they meet at the same bin. Fewer additions meet if each thread, or each block in shared memory, has a private
histogram. The private histograms are added up at the end. With fewer bins, more additions meet: to see this, sweep
`bits`.

Numbers below 0 or from 1 on, and NaN, are invalid inputs. Loops in C, CUDA, OpenCL, Fortran, Cython, Numba, Pythran and
Warp ignore them and write only to the counts. numpy.histogram ignores them, too, except for 1, which it counts. Other
library functions ignore such numbers, refuse them, or count them in some bin.

There is no numexpr implementation: numexpr cannot write to a computed index.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Histogram",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 10_000_000),
        "lecture": tuple(10**k for k in range(1, 8)),
    },
    sizes_gpu=(10**8,),
    dtypes=("float64", "float32"),
    baseline="numpy_blocked",
    baselines=("numpy_bincount",),
    options={"bits": 8},
    check_sizes=(65_537, 1_000_000),
    algorithms={
        "count": "the bin of each number is computed, and its count incremented",
        "search": "the bin of each number is searched among the edges of the bins",
    },
)
MOST_BITS = 20  # 4 MB of counts: OpenMP puts a thread's private counts on its stack, which often has 8 MB


def number_of_bins(bits):
    """Return 2**bits; raise ValueError if `bits` is no whole number from 0 to MOST_BITS."""
    if bits != int(bits) or not 0 <= bits <= MOST_BITS:
        raise ValueError(f"2**bits bins with bits={bits}: give a whole number from 0 to {MOST_BITS}")
    return 2 ** int(bits)


def inputs(size, dtype, rng, bits):
    """Return x: `size` numbers, independent and uniform in [0, 1), except for the first four.

    The first four are the smallest and the largest number of each of two neighbouring bins. They reveal wrong rounding:
    code that rounds 2**bits x - 1/2 to even computes a wrong bin for one of these four numbers.
    """
    x = rng.random(size, dtype=dtype)
    x[:4] = ends(rng.integers(number_of_bins(bits)) + np.arange(2), dtype, bits)[: x[:4].size]
    return {"x": x}


def exact_inputs(size, dtype, rng, bits):
    """Return x: `size` random numbers, each the smallest or the largest number of a bin."""
    return {"x": rng.choice(ends(np.arange(number_of_bins(bits)), dtype, bits), size)}


def ends(k, dtype, bits):
    """Return the smallest number of each bin in k, then the largest of each; k is taken modulo 2**bits."""
    real, bins = np.dtype(dtype).type, number_of_bins(bits)
    least = (k % bins / bins).astype(dtype)
    return np.concatenate([least, np.nextafter(least + real(1 / bins), real(0))])


def outputs(bits):
    return (Output("counts", (number_of_bins(bits),), "int32"),)


def reference(x, bits):
    """Return the counts: 2**bits x is exact, and its whole part is the bin. Blocks keep the bins within the caches."""
    counts = np.zeros(number_of_bins(bits), np.int64)
    for start in range(0, x.size, 65_536):
        bins = np.ldexp(x[start : start + 65_536], int(bits)).astype(np.intp)
        counts += np.bincount(bins, minlength=counts.size)
    return counts


def tolerance():
    """Return zero: numbers are counted."""
    return 0


def bytes_moved(size, itemsize, bits):
    return size * itemsize, number_of_bins(bits) * 4


def flops(size):
    """Return one multiplication per number, by the number of bins; counting is integer arithmetic."""
    return size
