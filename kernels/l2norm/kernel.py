"""Euclidean lengths of a matrix's rows: out[i] = sqrt(x[i, 0]**2 + ... + x[i, m-1]**2).

The lecture's ReductionKernel: a map (squares), a reduction along an axis (sums) and a map after it (roots), over
matrices of any shape. It reads one number for a multiplication and an addition, so memory bandwidth is the limit. An
array of squares would be written to memory and read back. There are many short reductions instead of one long one:
each row has a thread, a vector lane or a block of threads, and rows are independent.

The squares are not guarded against overflow. BLAS's nrm2 guards against it, and takes longer.
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
    """Return x: matrix of shape (size, columns), elements independent and uniform in [-1, 1)."""
    x = rng.random((size, columns), dtype=dtype)
    x *= 2
    x -= 1
    return {"x": x}


def exact_inputs(size, dtype, rng, columns):
    """Return x: whole numbers; sums of their squares, up to 2**20 or the number of columns, need no rounding."""
    largest = min(8, math.isqrt(2**20 // max(columns, 1)))
    return {"x": whole_numbers((size, columns), dtype, rng, largest=max(1, largest))}


def exact_tolerance(expected, dtype):
    """Return half the change in length that the smallest element causes, whose square is 1; or 4 eps, if larger.

    4 eps is the error of an inexact root or a scaled sum. From a million columns on, it hides an element in float32.
    """
    return np.maximum(0.25 / np.maximum(expected, 1), 4 * float(np.finfo(dtype).eps) * expected)


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x, columns):
    """Return the lengths in float64, shape (size,), with an error of about half a unit in the last place.

    x = coarse + fine, where coarse is a multiple of 2**-13. Squares of coarse numbers are multiples of 2**-26, whose
    sums are exact in float64 below 2**27. The remainder, (x - coarse)(x + coarse), contributes an error 2**-12 times
    that of an ordinary sum.
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
    """Return eps * (5 + 2 sqrt(m / 3)) + (m eps)**1.5 / 100 times the length, for m columns and any summation order.

    Let u = eps / 2. Squares and partial sums are positive, so errors are relative. Products round by u. A balanced tree
    adds u ceil(log2(m)), left-to-right sums u (m - 1) at worst (Higham, Accuracy and Stability of Numerical Algorithms,
    section 4.2). But rounding errors behave as mean-independent (Higham and Mary, SIAM J. Sci. Comput. 41 (2019)
    A2815), and the partial sums are s[k] ~ k / 3. So they reach c u sqrt(sum s[k]**2) ~ c u sqrt(m / 3) s[m] with a
    probability of 2 exp(-c**2 / 2). The root halves the relative error: 2 sqrt(m / 3) eps in the length corresponds to
    c = 8, a false alarm in 4e13 rows, and for m <= 20 contains the worst case.

    Left-to-right sums also drift. If the spacing of partial sums is h, squares below h / 2 vanish, and those that are
    rounded up do not compensate for it: squares of uniform numbers are densest at 0. On average, an addend loses the
    error of the midpoint rule at the root's singularity, zeta(-1/2, 1/2) h**1.5 = 0.061 h**1.5. With h <= eps s[k] the
    sum loses up to 0.014 (m eps)**1.5, relative, and the length half of it: a tenth of eps for a thousand columns in
    float32, 0.03 % for a million. The largest error observed there is 0.36 of the tolerance.

    The 5 eps are for the product (1/4), for a root of 3 units in the last place, as OpenCL allows in float32, and for
    the reference in its own precision (1/2).
    """
    eps = float(np.finfo(dtype).eps)
    return (eps * (5 + 2 * math.sqrt(columns / 3)) + (columns * eps) ** 1.5 / 100) * expected


def bytes_moved(size, itemsize, columns):
    return size * columns * itemsize, size * itemsize


def flops(size, columns):
    """Return the number of multiplications and additions, and a root for each row."""
    return 2 * size * columns
