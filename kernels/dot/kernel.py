"""Dot product of two vectors: s = x[0] y[0] + x[1] y[1] + ... + x[n-1] y[n-1].

The kernel reads two numbers for one multiplication and one addition. If each product is added to the sum at once,
memory bandwidth is the limit for vectors a few times larger than the caches. The lecture gtc2010 computes the dot
product of two vectors of a million elements by a reduction with a map expression. Every BLAS has a function for the dot
product. Array code without such a function writes an array of products to memory and reads it back.
"""

import math

import numpy as np

from accelbench.kernel import Kernel, Output, whole_numbers

KERNEL = Kernel(
    title="Dot product",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 1_000_000, 10_000_000),
        "lecture": tuple(10**k for k in range(1, 9)),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_dot",
    baselines=("numpy_einsum",),
    lectures=("gtc2010",),
    check_sizes=(1_000_000,),
    algorithms={
        "partial sums": "several partial sums, in SIMD lanes, pairs or threads, added up at the end",
        "in order": "one addition after the other; each thread adds up its own part",
    },
)


def inputs(size, dtype, rng):
    """Return x, y: `size` numbers each, independent and uniform in [-1, 1).

    The numbers are centred, as in vector_sum. A float32 sum from left to right of products in [0, 1) would stop growing
    at 2**24. A tolerance that accepts such a sum would also accept lost elements.
    """
    return {name: 2 * rng.random(size, dtype=dtype) - 1 for name in ("x", "y")}


def exact_inputs(size, dtype, rng):
    """Return x, y: whole numbers, whose sums of products need no rounding."""
    return {name: whole_numbers(size, dtype, rng) for name in ("x", "y")}


def outputs(dtype):
    return (Output("product", (), dtype),)


def reference(x, y):
    """Return the dot product as a float, with an error far below that of any computation in float64.

    x = coarse + fine, where coarse is a multiple of 2**-13, and y likewise. Products of coarse numbers are multiples of
    2**-26 and add up in float64 without any rounding while the total stays below 2**27. The remaining products are at
    most 2**-13, so the error of their sum is 2**-13 times that of an ordinary sum. Blocks keep the temporary arrays
    within the caches.
    """
    coarse_total = fine_total = 0.0
    for start in range(0, x.size, 65_536):
        part_x, part_y = (vector[start : start + 65_536].astype(np.float64) for vector in (x, y))
        coarse_x, coarse_y = (np.rint(part * 2.0**13) / 2.0**13 for part in (part_x, part_y))
        coarse_total += (coarse_x * coarse_y).sum()
        fine_total += (coarse_x * (part_y - coarse_y) + (part_x - coarse_x) * part_y).sum()
    return float(coarse_total + fine_total)


def tolerance(x, y, dtype):
    """Return eps * (1 + ceil(log2(n))) * sum|x y|, for every order of summation.

    Let u = eps / 2. The rounding error of a product is at most u |x y|, or zero in a fused multiply-add. An addition
    with the result s has a rounding error of at most u |s|.

    Balanced tree: Each product takes part in at most ceil(log2(n)) additions, so the error is below u (1 +
    ceil(log2(n))) sum|x y| for all data (Higham, Accuracy and Stability of Numerical Algorithms, sections 3.1 and 4.2).
    This is half the tolerance.

    Left to right: The error is sum d[k] s[k], where s[k] is the k-th partial sum and |d[k]| <= u. The d[k] behave as
    mean-independent (Higham and Mary, SIAM J. Sci. Comput. 41 (2019) A2815), so |sum d[k] s[k]| <= c u sqrt(sum
    s[k]**2) except with a probability of 2 exp(-c**2 / 2). As the data are centred and independent, s[k] is a random
    walk of mean square k / 9. Hence sqrt(sum s[k]**2) ~ n / sqrt(18), while sum|x y| ~ n / 4. The error is then 0.94 c
    u sum|x y|, with no factor that grows with n. The tolerance corresponds to c = 2.1 (1 + log2(n)): 23 at n = 1000, 58
    at 1e8. If a walk strays three times as far as usual, c is at least 7.7: one false alarm in 1e12 checks. Lanes,
    threads and work-items make shorter walks, with smaller errors. For n <= 10 the tolerance contains the worst case, u
    n sum|x y|.
    """
    total = sum(
        float(np.abs(np.multiply(x[start : start + 65_536], y[start : start + 65_536], dtype=np.float64)).sum())
        for start in range(0, x.size, 65_536)
    )
    return float(np.finfo(dtype).eps) * (1 + math.ceil(math.log2(max(x.size, 1)))) * total


def bytes_moved(size, itemsize):
    return 2 * size * itemsize, itemsize


def flops(size):
    return max(2 * size - 1, 0)
