"""Histogram: how many of the numbers fall into each of 2**bits equal parts of [0, 1).

    counts[k] = number of i with k <= 2**bits x[i] < k + 1,   k = 0, 1, ..., 2**bits - 1

The number of bins is a power of two, so that 2**bits x is exact in any precision: its whole part, the bin, is never a
matter of rounding, and counts are right or wrong.

The bin of a number is known only when the number has been read, and two numbers may fall into the same bin. On one core
that is a loop; in parallel it takes atomic additions, which wait for each other where they meet at the same bin.
Private histograms, of a thread, or of a block in shared memory, are added up at the end: then few atomics meet. With
fewer bins more of them meet: sweep `bits`.

Numbers below 0 or from 1 on, and NaN, are no inputs. Loops in C, CUDA, OpenCL, Fortran, Cython, Numba, Pythran and Warp
count them nowhere, as numpy.histogram does (but for 1, which it counts), and write nothing outside the counts.
Functions of libraries refuse such numbers, or count them somewhere.

Not here: numexpr, which cannot write to a computed index.
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
        "count": "the bin of each number worked out and counted",
        "search": "the bin of each number looked up among the bins' ends",
    },
)
MOST_BITS = 20  # 4 MB of counts: OpenMP puts a thread's own on its stack, often of 8


def number_of_bins(bits):
    """2**bits; ValueError where that is no number of bins, or too large for small arrays."""
    if bits != int(bits) or not 0 <= bits <= MOST_BITS:
        raise ValueError(f"2**bits bins with bits={bits}: give a whole number from 0 to {MOST_BITS}")
    return 2 ** int(bits)


def inputs(size, dtype, rng, bits):
    """x: `size` numbers, independent and uniform in [0, 1), except the first four, the ends of two neighbouring bins:
    the least number of each, and the largest number below the next bin. Rounding to even misses one of the two bins."""
    x = rng.random(size, dtype=dtype)
    x[:4] = ends(rng.integers(number_of_bins(bits)) + np.arange(2), dtype, bits)[: x[:4].size]
    return {"x": x}


def exact_inputs(size, dtype, rng, bits):
    """x: `size` ends of bins, in random order."""
    return {"x": rng.choice(ends(np.arange(number_of_bins(bits)), dtype, bits), size)}


def ends(k, dtype, bits):
    """The least number of each bin k, of all 2**bits of them in a circle, then the largest of each."""
    real, bins = np.dtype(dtype).type, number_of_bins(bits)
    least = (k % bins / bins).astype(dtype)
    return np.concatenate([least, np.nextafter(least + real(1 / bins), real(0))])


def outputs(bits):
    return (Output("counts", (number_of_bins(bits),), "int32"),)


def reference(x, bits):
    """The counts: 2**bits x is exact, and its whole part the bin. Blocks keep the bins within the caches."""
    counts = np.zeros(number_of_bins(bits), np.int64)
    for start in range(0, x.size, 65_536):
        bins = np.ldexp(x[start : start + 65_536], int(bits)).astype(np.intp)
        counts += np.bincount(bins, minlength=counts.size)
    return counts


def tolerance():
    """None: numbers are counted."""
    return 0


def bytes_moved(size, itemsize, bits):
    return size * itemsize, number_of_bins(bits) * 4


def flops(size):
    """The products with the number of bins; counting is integer work."""
    return size
