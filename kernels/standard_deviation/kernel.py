"""Standard deviation of all elements: s = sqrt(sum((x[i] - m)**2) / n), where m is the mean of the elements.

The definition takes two passes, since the mean must be known before the first difference is squared. Array code writes
the differences and their squares to memory, so it takes four passes. Three formulas take only one pass:

- sum(x**2) / n - m**2. If the mean is large, the difference of these two large numbers loses all digits. So no
  implementation here uses this formula.
- The same formula for d[i] = x[i] - x[0]. The mean of d is about as large as s, so few digits are lost. This shifted
  formula takes a subtraction, a multiplication and two additions per element.
- Welford's formula, which updates the mean and the sum of squares with every element. It is accurate for all data, but
  takes a division per element.

Loops in C, Cython and Numba add up in double precision for every type of x. NumPy and CuPy add up in the type of x.
numpy_blocked adds up each block in the type of x, and the blocks' sums in double precision. So a sum that overflows in
one implementation need not overflow in another. The standard deviation of no elements is NaN, as in NumPy. In the
lecture's benchmark of CuPy against NumPy, at 8 and 800 MB, the elements are between 0 and 1. This kernel adds 100, so
that inaccurate formulas fail.

Sources: P. Entschev, pybench, github.com/pentschev/pybench; B. P. Welford, Technometrics 4 (1962) 419; T. F. Chan, G.
H. Golub, R. J. LeVeque, The American Statistician 37 (1983) 242, also for the shift.
"""

import math

import numpy as np

from accelbench.kernel import Kernel, Output, whole_numbers

KERNEL = Kernel(
    title="Standard deviation",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 10_000_000),
        "lecture": tuple(10**k for k in range(1, 9)),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_blocked",
    baselines=("numpy_std", "numpy_two_pass"),
    lectures=("icsc23",),
    check_sizes=(1_000_000,),
    algorithms={
        "two passes": "the mean, then the differences from it",
        "one pass": "sums of d[i] = x[i] - x[0] and of d[i]**2",
    },
)
DOUBLE = float(np.finfo(np.float64).eps)


def inputs(size, dtype, rng):
    """Return x: `size` numbers, independent and uniform in [100, 101)."""
    x = rng.random(size, dtype=dtype)
    x += 100
    return {"x": x}


def exact_inputs(size, dtype, rng):
    """Return x: random numbers -2, -1, 1 and 2, then these numbers with opposite signs, so that the mean of x is 0.

    If `size` is odd, the last number is 0.
    """
    half = whole_numbers(size // 2, dtype, rng, largest=2)
    return {"x": np.concatenate([half, -half, np.zeros(size % 2, half.dtype)])}


def exact_tolerance(x, expected, dtype):
    """Return the larger of `tolerance` and half the change of the result if an element 1 or -1 is lost.

    In float64, half the change is larger than `tolerance` up to 1e8 elements. In float32, half the change is larger up
    to 80 000 elements, because 24 bits cannot resolve one element among millions.
    """
    return max(tolerance(x, expected, dtype), 0.25 / (x.size * expected) if expected > 0 else 0.0)


def outputs(dtype):
    return (Output("deviation", (), dtype),)


def reference(x):
    """Return the standard deviation, as a float, or NaN if x has no elements.

    x - 100.5 is exact in float64 if x is float32, and almost exact if x is float64. The sum of squares is much larger
    than the correction for the mean, so that subtracting this correction loses no digits. The loop works on blocks, so
    that temporary arrays fit the caches. math.fsum adds up the blocks' sums without rounding.
    """
    totals, squares = [], []
    for start in range(0, x.size, 65_536):
        block = x[start : start + 65_536] - np.float64(100.5)
        totals.append(block.sum())
        squares.append(np.square(block, out=block).sum())
    if not totals:
        return math.nan
    center = math.fsum(totals) / x.size
    if x.size > 1_000:
        return math.sqrt(math.fsum(squares) / x.size - center**2)
    return math.sqrt(math.fsum((x - np.float64(100.5) - center) ** 2) / x.size)  # a few numbers may be almost equal


def tolerance(x, expected, dtype):
    """Return the bound of pairwise sums in the dtype, plus the bound of left-to-right sums in double precision.

    The unit roundoff is u = eps / 2. Pairwise sums: A sum of positive terms has a relative error of u per level. A
    library has up to L = 2 log2(n) + 4 levels, since it adds up short runs in order. So the error of the mean is e = L
    u m. Since sum((x - m - e)**2) / n = s**2 + e**2, e changes s by hypot(s, e) - s. This is the first part of the
    tolerance. The variance also has a relative error of (L + 3) u, from the difference, the square, the quotient and
    the levels of the sum. The square root halves this error and adds u, which makes (L + 5) / 4 eps.

    Left to right: The worst case, u n, is far too large. Rounding errors behave as mean-independent (Higham and Mary,
    SIAM J. Sci. Comput. 41 (2019) A2815). So a sum of n positive terms of similar size has a relative error of at most
    c u sqrt(n / 3), except with a probability of 2 exp(-c**2 / 2). Here c = 8. In the formula shifted by x[0], with
    d[i] = x[i] - x[0], the variance is sum(d[i]**2) / n - (sum(d[i]) / n)**2. These two terms are (1 + q) s**2 and q
    s**2, where q = (m - x[0])**2 / s**2. For uniform numbers, q is at most 3, if x[0] is at an end of their interval.
    The error of the variance is then 1 + 3 q = 10 times that of a sum. s has half of this error: 40 u sqrt(n / 3) < 12
    eps sqrt(n).

    Welford: This formula rounds the mean at every element, by up to u m. The other formulas subtract a constant mean.
    Each rounding error is multiplied by a difference and enters the sum of squares. In the worst case, the relative
    error of the sum of squares is n k u, where k = m / s (Chan, Golub and LeVeque, table 1). The error of s is then n u
    m / 2. But the differences are independent of these rounding errors. After i elements, the rounding errors have
    changed the mean by about sqrt(i / 9) u m, as in a random walk. So the relative error of the sum of squares is 0.8 c
    k u for every n. This is 0.4 c u m in s, or 3.2 u m for c = 8. The tolerance, 4 u m, contains the worst case for n
    <= 8. In 20 000 draws of each size from 2 to 97, the largest error was 1.4 u m.

    The formula sum(x**2) / n - m**2 would magnify the error of a sum by 2 m**2 / s**2 = 240 000.
    """
    if not x.size:
        return 0.0
    eps, mean = float(np.finfo(dtype).eps), float(x.mean(dtype=np.float64))
    levels = 2 * math.log2(x.size) + 4
    off = (levels * eps / 2 + 2.4 * DOUBLE * math.sqrt(x.size)) * mean
    of_sums = math.hypot(expected, off) - expected
    return of_sums + ((levels + 5) / 4 * eps + 12 * DOUBLE * math.sqrt(x.size)) * expected + 2 * DOUBLE * mean


def bytes_moved(size, itemsize):
    return size * itemsize, itemsize


def flops(size):
    """Return the number of operations. Each element takes one for the mean, and a difference, a square and a sum."""
    return 4 * size
