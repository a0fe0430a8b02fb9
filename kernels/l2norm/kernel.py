"""Compute the Euclidean length of each row of a matrix: out[i] = sqrt(x[i, 0]**2 + ... + x[i, m-1]**2).

The lecture computes the lengths by a ReductionKernel, for matrices of any shape: a map (squares), a reduction along an
axis (sums) and a map of the sums (roots). The kernel reads a number for each multiplication and addition, so memory
bandwidth is the limit. Unfused array code writes the squares to memory and reads them back. The rows are many short,
independent reductions: a thread, a vector lane or a block of threads adds up each row.

The squares may overflow. BLAS's nrm2 prevents overflow, and takes longer.
"""

import math

import numpy as np

from accelbench.kernel import Kernel, Output, whole_numbers

KERNEL = Kernel(
    title="Row norms",
    size="rows",
    sizes={"smoke": (10,), "default": (100, 10_000), "lecture": (10, 100, 1_000, 10_000)},
    sizes_gpu=(100_000,),
    dtypes=("float64", "float32"),
    baseline="numpy_vecdot",
    baselines=("numpy_norm", "numpy_einsum", "numpy_blocked"),
    lectures=("cupy101",),
    options={"columns": 1000},
    algorithms={
        "partial sums": "several partial sums per row, in SIMD lanes or threads, added up at the end",
        "in order": "one addition after the other along each row",
    },
)
BLOCK = 65_536  # elements per block, so that temporary arrays fit the caches


def inputs(size, dtype, rng, columns):
    """Return x: a matrix of shape (size, columns) whose elements are independent and uniform in [-1, 1)."""
    x = rng.random((size, columns), dtype=dtype)
    x *= 2
    x -= 1
    return {"x": x}


def exact_inputs(size, dtype, rng, columns):
    """Return x: whole numbers, so small that each row's sum of squares is exact."""
    largest = min(8, math.isqrt(2**20 // max(columns, 1)))
    return {"x": whole_numbers((size, columns), dtype, rng, largest=max(1, largest))}


def exact_tolerance(expected, dtype):
    """Return the larger of two bounds: half the effect of a lost element of 1 or -1, and 4 eps times the length.

    4 eps is the relative error of an inexact root or a scaled sum. In float32, from a million columns on, 4 eps is so
    large that the check cannot detect a single lost element.
    """
    return np.maximum(0.25 / np.maximum(expected, 1), 4 * float(np.finfo(dtype).eps) * expected)


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x, columns):
    """Return the lengths in float64, shape (size,), with an error of about half a unit in the last place.

    The function rounds x to coarse, a multiple of 2**-13, and adds up coarse**2 and fine = x**2 - coarse**2 separately.
    Squares of coarse numbers are multiples of 2**-26. Their sums are exact in float64 if they are below 2**27. The
    error of the sum of fine = (x - coarse) (x + coarse) is 2**-12 times the error of an ordinary sum of squares.
    """
    out = np.empty(len(x))
    rows = max(1, BLOCK // max(columns, 1))
    for start in range(0, len(x), rows):
        block = x[start : start + rows].astype(np.float64)
        coarse = np.rint(block * 2.0**13) / 2.0**13
        fine = (block - coarse) * (block + coarse)
        out[start : start + rows] = np.sqrt((coarse * coarse).sum(axis=1) + fine.sum(axis=1))
    return out


def tolerance(expected, dtype, columns):
    """Return (eps * (5 + 2 sqrt(m / 3)) + (m eps)**1.5 / 100) * length for m columns. It allows any order of summation.

    2 sqrt(m / 3) eps: Let u = eps / 2. All terms are positive, so relative errors add up. A product adds u, a balanced
    tree adds u ceil(log2(m)), and a left-to-right sum adds at most u (m - 1) (Higham, Accuracy and Stability of
    Numerical Algorithms, section 4.2). Usually the error is far smaller, since rounding errors behave as
    mean-independent (Higham and Mary, SIAM J. Sci. Comput. 41 (2019) A2815). The partial sums are s[k] ~ k / 3, so the
    error of a sum exceeds c u sqrt(sum s[k]**2) ~ c u sqrt(m / 3) s[m] only with a probability of 2 exp(-c**2 / 2). The
    square root of the sum halves the relative error. So 2 sqrt(m / 3) eps in the length corresponds to c = 8: one false
    alarm in 4e13 rows. For m <= 20 the tolerance contains the worst case.

    (m eps)**1.5 / 100: Left-to-right sums also drift. If partial sums have the spacing h, squares below h / 2 are lost.
    Squares that are rounded up do not compensate for this loss, since squares of uniform numbers are densest at 0. The
    mean loss per addend is 0.061 h**1.5, the error of the midpoint rule for sqrt(y), the distribution function of
    squares y. As h <= eps s[k], the sum loses up to 0.014 (m eps)**1.5, relative, and the length loses half as much. In
    float32 the length loses 0.1 eps for a thousand columns and 0.03 % for a million. The largest error observed for a
    million columns is 0.36 of the tolerance.

    5 eps: The product adds eps / 4. The root adds 3 units in the last place, which OpenCL allows in float32. The
    reference adds half an eps of its own precision.
    """
    eps = float(np.finfo(dtype).eps)
    return (eps * (5 + 2 * math.sqrt(columns / 3)) + (columns * eps) ** 1.5 / 100) * expected


def bytes_moved(size, itemsize, columns):
    return size * columns * itemsize, size * itemsize


def flops(size, columns):
    """Return the number of operations: m multiplications, m - 1 additions and a root for each row of m columns."""
    return 2 * size * columns
