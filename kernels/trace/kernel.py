"""Trace of a square matrix: t = a[0, 0] + a[1, 1] + ... + a[n-1, n-1].

The trace takes few additions and little data, but the data are scattered: n numbers that are n + 1 elements apart.
Reading a number loads a whole cache line or sector. So at most an eighth of the loaded bytes are used in float64, or a
quarter on a GPU, and half as many in float32. The trace is the lecture's example of an operation that is slower on a
GPU: with 1000 rows, NumPy's trace ends before a request could reach a device.
"""

import math

import numpy as np

from accelbench.kernel import Kernel, Output, whole_numbers

KERNEL = Kernel(
    title="Trace of a matrix",
    size="rows of the square matrix",
    sizes={"smoke": (16,), "default": (100, 1000), "lecture": (10, 100, 1000, 4000)},
    dtypes=("float64", "float32"),
    baseline="numpy_diagonal",
    baselines=("numpy_einsum", "numpy_slice", "numpy_trace"),
    lectures=("cupy101",),
    check_sizes=(3, 130, 1000),
)


def inputs(size, dtype, rng):
    """Return a: matrix of shape (size, size), elements independent and uniform in [-1, 1)."""
    a = rng.random((size, size), dtype=dtype)
    a *= 2
    a -= 1
    return {"a": a}


def exact_inputs(size, dtype, rng):
    """Return a: whole numbers, small enough that their sums are exact."""
    return {"a": whole_numbers((size, size), dtype, rng)}


def outputs(dtype):
    return (Output("total", (), dtype),)


def reference(a):
    """Return the sum of the diagonal, exact except for one rounding to float64."""
    return math.fsum(a.diagonal())


def tolerance(a, dtype):
    """Return eps * ceil(log2(n)) * sum|a[i, i]|, for every order of summation.

    kernels/vector_sum/kernel.py derives this tolerance for the same data. The error of a tree of additions is below
    half the tolerance for all data. In a sum from left to right, the error exceeds the tolerance with a probability of
    2 exp(-c**2 / 2), where c = 2.4 log2(n). For n < 8 the tolerance contains the worst case.
    """
    total = float(np.abs(a.diagonal()).sum(dtype=np.float64))
    return float(np.finfo(dtype).eps) * math.ceil(math.log2(max(len(a), 1))) * total


def bytes_moved(size, itemsize):
    """Return the bytes of the diagonal alone, without the rest of its cache lines."""
    return size * itemsize, itemsize


def footprint_bytes(size, itemsize):
    return (size**2 + 1) * itemsize


def flops(size):
    return max(size - 1, 0)
