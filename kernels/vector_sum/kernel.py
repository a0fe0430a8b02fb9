"""Sum of a vector: s = x[0] + x[1] + ... + x[n-1].

Each element is read for one addition, so memory bandwidth is the limit for vectors a few times larger than the caches.
Every implementation accumulates in the vector's dtype, unless its description says otherwise. Implementations differ in
the order of the additions, and so in rounding errors. Plain loops in C, Cython and Numba add from left to right.
Fast-math code and the implementations *_lanes and *_rust have a sum per SIMD lane. OpenMP code has a sum per thread.
numpy.sum adds pairwise, numpy_matmul adds up rows, and GPU and OpenCL code adds as a tree.
"""

import math

import numpy as np

from accelbench.kernel import Kernel, Output, whole_numbers

KERNEL = Kernel(
    title="Vector sum",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 1_000_000, 4_000_000),
        "lecture": tuple(10**k for k in range(1, 9)),
    },
    sizes_gpu=(50_000_000,),  # 400 MB in float64, more than most last-level caches
    dtypes=("float64", "float32"),
    baseline="numpy_sum",
    baselines=("numpy_matmul",),
    lectures=("icsc23",),
    check_sizes=(1_000_000,),
    algorithms={
        "partial sums": "several partial sums, in SIMD lanes, pairs or threads, added up at the end",
        "in order": "one addition after the other; each thread adds up its own part",
    },
)


def inputs(size, dtype, rng):
    """Return x: `size` numbers, independent and uniform in [-1, 1).

    The numbers have a mean of 0 on purpose. A left-to-right float32 sum of positive numbers stops growing when half a
    unit in the last place of the total exceeds the addend. If the numbers are uniform in [0, 1), this happens at 2**24,
    so that 1e8 numbers add up to 16777216 instead of 5e7. The sum of 1e7 such numbers has an error of up to 500. A
    tolerance that accepts this error would also accept a thousand lost elements.
    """
    x = rng.random(size, dtype=dtype)
    x *= 2
    x -= 1
    return {"x": x}


def exact_inputs(size, dtype, rng):
    """Return x: whole numbers, small enough that their sums are exact."""
    return {"x": whole_numbers(size, dtype, rng)}


def outputs(dtype):
    return (Output("total", (), dtype),)


def reference(x):
    """Return the sum as a float. In practice, it is correctly rounded to float64.

    x is split into coarse + fine, where coarse is a multiple of 2**-26. Sums of coarse numbers are exact in float64,
    up to 2**27. The fine remainders are at most 2**-27, so the error of their sum is 2**-27 times that of an ordinary
    sum. The loop works on blocks, so that temporary arrays fit the caches.
    """
    coarse_total = fine_total = 0.0
    for start in range(0, x.size, 65_536):
        block = x[start : start + 65_536].astype(np.float64)
        coarse = np.rint(block * 2.0**26) / 2.0**26
        coarse_total += coarse.sum()
        fine_total += (block - coarse).sum()
    return float(coarse_total + fine_total)


def tolerance(x, dtype):
    """Return eps * ceil(log2(n)) * sum|x|, for every order of summation.

    Let u = eps / 2. An addition with the result s has a rounding error of at most u |s|.

    Balanced tree: Each element takes part in at most ceil(log2(n)) additions, so the error is below u ceil(log2(n))
    sum|x| for all data (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2). This is half the
    tolerance.

    Left to right: The worst-case bound, u (n - 1) sum|x|, exceeds sum|x| itself for n > 2**24 in float32. Such a
    tolerance would accept a result of 0. But the error does not reach this bound. The error is sum d[k] s[k], where
    s[k] is the k-th partial sum and |d[k]| <= u. The d[k] behave as mean-independent (Higham and Mary, SIAM J. Sci.
    Comput. 41 (2019) A2815). So by the Azuma-Hoeffding inequality |sum d[k] s[k]| <= c u sqrt(sum s[k]**2), except with
    a probability of 2 exp(-c**2 / 2). As the data are independent with a mean of 0, s[k] is a random walk, and the mean
    of s[k]**2 is k / 3. Hence sqrt(sum s[k]**2) ~ n / sqrt(6), while sum|x| ~ n / 2. The error is then at most 0.82 c u
    sum|x|, with no factor that grows with n. The tolerance corresponds to c = 2.4 log2(n): 24 at n = 1000, 65 at 1e8.
    If the partial sums are three times as large as usual, c is 8 at n = 1000, which causes one false alarm in 1e13
    checks. SIMD lanes, threads and work-items that add parts from left to right have shorter sums, with smaller errors.
    For n < 8 the tolerance is at least the worst-case bound.

    The largest errors observed, in 200 draws at n = 31 down to one draw at n = 1e8, are 1.5 eps sum|x| for sums from
    left to right. For SIMD lanes, threads and trees, they are 0.7 eps sum|x| at n = 31, and at most 0.3 eps sum|x| from
    n = 1e5 on.
    """
    total = float(np.abs(x).sum(dtype=np.float64))
    return float(np.finfo(dtype).eps) * math.ceil(math.log2(max(x.size, 1))) * total


def bytes_moved(size, itemsize):
    return size * itemsize, itemsize


def flops(size):
    return max(size - 1, 0)
