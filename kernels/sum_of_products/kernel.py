"""Sums of products along the last axis: out[i] = x[i, 0] y[i, 0] + ... + x[i, m-1] y[i, m-1].

The lecture's example of a reduction is cp.sum(x * y, axis=-1), which cupy.fuse compiles to one kernel. Without fusion,
the products are written to an array and read again, so each product moves 4 numbers instead of 2.

A dot product (the kernel `dot`) reduces two vectors to one number. It has a BLAS function, and threads of a GPU must
combine their sums. Here each row of the two matrices has a result, and all results are short, independent sums. Fusion
pays, because the alternatives are slow: NumPy's vecdot calls BLAS row by row, and a product of the two matrices would
take n times as many operations for n rows.
"""

import math

import numpy as np

from accelbench.kernel import Kernel, Output, whole_numbers

KERNEL = Kernel(
    title="Sums of products by row",
    size="rows",
    sizes={"smoke": (10,), "default": (100, 10_000), "lecture": (10, 100, 1_000, 10_000)},
    sizes_gpu=(100_000,),
    dtypes=("float64", "float32"),
    baseline="numpy_vecdot",
    baselines=("numpy_blocked", "numpy_einsum"),
    lectures=("cupy101",),
    options={"columns": 1000},
    algorithms={
        "partial sums": "several partial sums per row, in SIMD lanes or threads, added up at the end",
        "in order": "one addition after the other along each row",
    },
)
BLOCK = 65_536  # elements per block, so that temporary arrays fit the caches


def inputs(size, dtype, rng, columns):
    """Return x, y: matrices of shape (size, columns), elements independent and uniform in [-1, 1)."""
    return {name: 2 * rng.random((size, columns), dtype=dtype) - 1 for name in ("x", "y")}


def exact_inputs(size, dtype, rng, columns):
    """Return x, y: whole numbers, small enough that sums of their products are exact."""
    return {name: whole_numbers((size, columns), dtype, rng) for name in ("x", "y")}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x, y, columns):
    """Return the sums in float64, shape (size,), with an error far below that of an ordinary sum in float64.

    Both x and y are split into coarse + fine, where coarse is a multiple of 2**-13. Products of coarse numbers are
    multiples of 2**-26, and sums of these products are exact in float64 below 2**27. The remaining products are at most
    2**-13, so the error of their sum is 2**-13 times that of an ordinary sum.
    """
    out = np.empty(len(x))
    rows = max(1, BLOCK // max(columns, 1))
    for start in range(0, len(x), rows):
        part_x, part_y = (matrix[start : start + rows].astype(np.float64) for matrix in (x, y))
        coarse_x, coarse_y = (np.rint(part * 2.0**13) / 2.0**13 for part in (part_x, part_y))
        fine = coarse_x * (part_y - coarse_y) + (part_x - coarse_x) * part_y
        out[start : start + rows] = (coarse_x * coarse_y).sum(axis=1) + fine.sum(axis=1)
    return out


def tolerance(x, y, dtype, columns):
    """Return eps * (1 + ceil(log2(m))) * sum|x y| of each row, for m columns and every order of summation.

    kernels/dot/kernel.py derives this tolerance for the same data. The error of a tree of additions is below half the
    tolerance for all data. In a sum from left to right, the error exceeds the tolerance with a probability of 2
    exp(-c**2 / 2), where c = 2.1 (1 + log2(m)). For 1000 columns, c is 23. If the partial sums of a row are three times
    as large as usual, c is 7.7. For m <= 10 the tolerance contains the worst case.
    """
    totals = np.empty(len(x))
    rows = max(1, BLOCK // max(columns, 1))
    for start in range(0, len(x), rows):
        block = slice(start, start + rows)
        totals[block] = np.abs(np.multiply(x[block], y[block], dtype=np.float64)).sum(axis=1)
    return float(np.finfo(dtype).eps) * (1 + math.ceil(math.log2(max(columns, 1)))) * totals


def bytes_moved(size, itemsize, columns):
    return 2 * size * columns * itemsize, size * itemsize


def flops(size, columns):
    return size * max(2 * columns - 1, 0)
