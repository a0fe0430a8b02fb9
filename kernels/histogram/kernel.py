"""Histogram: counts of the numbers in each of 2**bits equal parts of [0, 1).

    counts[k] = number of i with k <= 2**bits x[i] < k + 1,   k = 0, 1, ..., 2**bits - 1

The number of bins is a power of two, so that 2**bits x is exact in any precision. Its whole part, the bin, does not
depend on rounding, so that counts are right or wrong.

The bin of a number is known only after the number has been read, and two numbers may be in the same bin. On one core a
loop counts them. In parallel it takes atomic additions, which wait for each other if they meet at the same bin. Private
histograms, of a thread, or of a block in shared memory, are added up at the end, so that fewer atomics meet. More of
them meet with fewer bins: sweep `bits`.

Numbers below 0 or from 1 on, and NaN, are invalid inputs. Loops in C, CUDA, OpenCL, Fortran, Cython, Numba, Pythran and
Warp do not count them, as numpy.histogram does not (except for 1, which it counts), and write only to the counts.
Functions of libraries refuse such numbers, or count them in some bin.

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
MOST_BITS = 20  # 4 MB of counts: OpenMP puts a thread's private counts on its stack, often of 8 MB


def number_of_bins(bits):
    """Return 2**bits; raise ValueError if `bits` is no whole number from 0 to MOST_BITS."""
    if bits != int(bits) or not 0 <= bits <= MOST_BITS:
        raise ValueError(f"2**bits bins with bits={bits}: give a whole number from 0 to {MOST_BITS}")
    return 2 ** int(bits)


def inputs(size, dtype, rng, bits):
    """Return x: `size` numbers, independent and uniform in [0, 1), except for the first four.

    The first four are the smallest and the largest number of two neighbouring bins. They reveal wrong rounding:
    rounding to even misses one of the two bins.
    """
    x = rng.random(size, dtype=dtype)
    x[:4] = ends(rng.integers(number_of_bins(bits)) + np.arange(2), dtype, bits)[: x[:4].size]
    return {"x": x}


def exact_inputs(size, dtype, rng, bits):
    """Return x: `size` edges of bins in random order."""
    return {"x": rng.choice(ends(np.arange(number_of_bins(bits)), dtype, bits), size)}


def ends(k, dtype, bits):
    """Return the smallest number of each of the 2**bits bins k, repeated cyclically, and the largest of each."""
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
    """Return the products with the number of bins; counting is integer work."""
    return size
