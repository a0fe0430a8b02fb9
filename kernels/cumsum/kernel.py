"""Cumulative sum: out[i] = x[0] + x[1] + ... + x[i], an inclusive scan.

In the obvious loop, each addition waits for the one before. A parallel scan breaks this chain. The usual scan adds up
each part of x separately, scans the sums of the parts, and then scans each part, starting from the sum of the parts
before it. This scan reads x twice but takes only about two additions per element: it is work-efficient. CUB's scan
reads x only once. The textbook's doubling scheme takes log2(n) additions per element. The kernel in cumsum.cu uses that
scheme within its blocks.

The lecture esrf names the pattern: "Scan: i.e. numpy's cumsum". Sums are computed in the vector's dtype.
Implementations differ in the order of additions, and so in rounding errors.
"""

import math

import numpy as np

from accelbench.kernel import Kernel, Output, whole_numbers

KERNEL = Kernel(
    title="Cumulative sum",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 10_000_000),
        "lecture": tuple(10**k for k in range(1, 8)),
    },
    sizes_gpu=(10**8,),
    dtypes=("float64", "float32"),
    baseline="numpy_triangular",
    baselines=("numpy_cumsum",),
    lectures=("esrf",),
    check_sizes=(65_537, 1_000_000),
    algorithms={
        "in order": "one addition after the other; each thread adds up its own part",
        "rows of sums": "cumulative sums within short rows; then the sum of all rows before is added to each row",
        "scan": "sums over growing distances, many in parallel, as GPUs need them",
    },
)


def inputs(size, dtype, rng):
    """Return x: `size` numbers, independent and uniform in [-1, 1).

    The numbers are centred on purpose. A sequential float32 sum of numbers in [0, 1) would stop growing at 2**24. A
    tolerance that accepts such a sum would also accept lost elements.
    """
    x = rng.random(size, dtype=dtype)
    x *= 2
    x -= 1
    return {"x": x}


def exact_inputs(size, dtype, rng):
    """Return x: whole numbers, whose sums need no rounding."""
    return {"x": whole_numbers(size, dtype, rng)}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x):
    """Return the sums in float64, shape (size,), with an error of a few times 2**-53 max(|sum|, 1).

    x = coarse + fine, where coarse is a multiple of 2**-26. Coarse numbers up to 1 add up without any rounding in
    float64 while the total stays below 2**27. The fine remainders are at most 2**-27, so the error of their sum is
    2**-27 times that of an ordinary sum. Blocks keep the temporary arrays within the caches.
    """
    out = np.empty(x.size)
    coarse_total = fine_total = 0.0
    for start in range(0, x.size, 65_536):
        block = x[start : start + 65_536].astype(np.float64)
        coarse = np.rint(block * 2.0**26) / 2.0**26
        block -= coarse
        coarse[0] += coarse_total
        block[0] += fine_total
        np.cumsum(coarse, out=coarse)
        np.cumsum(block, out=block)
        coarse_total, fine_total = coarse[-1], block[-1]
        np.add(coarse, block, out=out[start : start + 65_536])
    return out


def tolerance(x, dtype):
    """Return eps * ceil(log2(i + 1)) * (|x[0]| + ... + |x[i]|), shape (size,), for every order of summation.

    out[i] is a sum of i + 1 numbers. Let u = eps / 2. An addition with the result s has a rounding error of at most u
    |s|.

    Trees: In the scans of Kogge and Stone and of Brent and Kung, an element takes part in at most 2 ceil(log2(i + 1))
    additions. So the error is below the tolerance for all data (Higham, Accuracy and Stability of Numerical Algorithms,
    section 4.2). The first sum must be exact.

    Left to right: The error does not reach its worst-case bound, u i sum|x|. It is sum d[k] s[k], where s[k] is the
    k-th partial sum and |d[k]| <= u. The d[k] behave as mean-independent (Higham and Mary, SIAM J. Sci. Comput. 41
    (2019) A2815), so |sum d[k] s[k]| <= c u sqrt(sum s[k]**2) except with a probability of 2 exp(-c**2 / 2). As the
    data are centred and independent, s[k] is a random walk of mean square k / 3. Hence the root is about i / sqrt(6),
    while sum|x| is about i / 2. The error is then 0.82 c u sum|x|, with no factor that grows with i, and the tolerance
    corresponds to c = 2.4 log2(i + 1). Up to i = 6 the tolerance contains the worst case. If lanes, threads or blocks
    add up parts left to right, the walks are shorter.
    """
    bound = np.cumsum(np.abs(x), dtype=np.float64)
    bound[:1] = 0.0
    for doublings in range(1, math.ceil(math.log2(max(x.size, 1))) + 1):
        bound[2 ** (doublings - 1) : 2**doublings] *= doublings * float(np.finfo(dtype).eps)
    return bound


def bytes_moved(size, itemsize):
    return size * itemsize, size * itemsize


def flops(size):
    return max(size - 1, 0)
