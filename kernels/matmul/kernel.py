"""Multiply two square matrices: out[i, j] = a[i, 0] b[0, j] + ... + a[i, n-1] b[n-1, j].

There are 2 n**3 operations on 3 n**2 numbers, so the speed depends on the reuse of loaded numbers. The naive loops load
two numbers for each multiplication and addition. With tiles of t by t numbers in a cache or in shared memory, code uses
each loaded number t times. Tiles in registers also reduce the reads of shared memory. The libraries use both kinds.
"""

import math

import numpy as np

from accelbench.kernel import Kernel, Output, whole_numbers

KERNEL = Kernel(
    title="Matrix multiplication",
    size="rows of the square matrices",
    sizes={"smoke": (32,), "default": (64, 512), "lecture": (64, 128, 256, 512, 1024, 2048, 4096)},
    dtypes=("float64", "float32"),
    baseline="numpy_matmul",
    lectures=("cupy101", "firenze"),
    check_sizes=(16, 64, 130, 257),
    block_dimensions=2,
    algorithms={
        "library": "the product of a library: BLAS, cuBLAS",
        "plain loops": "rows times columns, without tiles",
        "tiles": "tiles of both matrices in shared memory or registers",
    },
)
MANTISSA_BITS = 53  # significant bits of a float64 number


def inputs(size, dtype, rng):
    """Return a, b: matrices of shape (size, size) whose elements are independent and uniform in [-1, 1)."""
    return {name: 2 * rng.random((size, size), dtype=dtype) - 1 for name in ("a", "b")}


def exact_inputs(size, dtype, rng):
    """Return a, b: matrices of whole numbers so small that their product needs no rounding."""
    return {name: whole_numbers((size, size), dtype, rng) for name in ("a", "b")}


def outputs(size, dtype):
    return (Output("out", (size, size), dtype),)


def reference(a, b, size, dtype):
    """Return the product, shape (size, size), with an error far below that of any computation in `dtype`.

    float32 matrices are multiplied in float64. float64 matrices are split into a coarse part, a multiple of 2**-bits,
    and the rest. Sums of `size` products of two coarse numbers fit 53 bits, so the product of the coarse parts is exact
    in any order of summation. Only the other products are rounded. They are at most 2**-bits of the result (2**-20 at
    size 4096).
    """
    if dtype != "float64":
        return np.matmul(a, b, dtype=np.float64)
    bits = (MANTISSA_BITS - math.ceil(math.log2(max(size, 1)))) // 2
    coarse_a, coarse_b = (np.rint(matrix * 2.0**bits) * 2.0**-bits for matrix in (a, b))
    return coarse_a @ coarse_b + (coarse_a @ (b - coarse_b) + (a - coarse_a) @ b)


def tolerance(a, b, dtype):
    """Return 16 u |row of a| |column of b| for each element, where |...| is the Euclidean length and u = eps / 2.

    The tolerance allows any order of summation. In an inner product, an addition with the result s[k] has a rounding
    error of at most u |s[k]|. The errors of the products are smaller.

    Worst case: From left to right, the error is at most n u |a| |b| (Higham, Accuracy and Stability of Numerical
    Algorithms, section 3.5), where |a| |b| is the product of the matrices of absolute values. By Cauchy-Schwarz,
    |a| |b| is at most |row| |column|, so up to n = 16 the tolerance is at least the worst case.

    For larger n, rounding errors behave as mean-independent (Higham and Mary, SIAM J. Sci. Comput. 41 (2019) A2815).
    The error is sum d[k] s[k] with |d[k]| <= u, so |sum d[k] s[k]| <= c u sqrt(sum s[k]**2) except with a probability
    of 2 exp(-c**2 / 2). Higham and Mary assume the largest possible s[k], which gives c u sqrt(n) |a| |b|. At n = 4096
    a tolerance of this size would accept products rounded to TF32. Here the elements are independent and have mean
    zero, so s[k] is a random walk of mean square k / 9. Hence sqrt(sum s[k]**2) ~ n / sqrt(18), while the lengths are
    sqrt(n / 3) each. The error is then 0.71 c u |row| |column|, with no factor that grows with n, and the tolerance
    corresponds to c = 23. If a walk goes three times as far as usual, c = 7.5: one false alarm in 1e12 elements. Tiles,
    lanes and threads make shorter walks, with smaller errors.

    The largest error observed for left-to-right sums is 0.26 of the tolerance, for every n, in 3000 draws at n = 17
    down to one draw at n = 1700. If factors are rounded to TF32, the error is ten times the tolerance.
    """
    unit = float(np.finfo(dtype).eps) / 2
    rows = np.sqrt(np.einsum("ij,ij->i", a, a, dtype=np.float64))
    columns = np.sqrt(np.einsum("ij,ij->j", b, b, dtype=np.float64))
    return 16 * unit * np.outer(rows, columns)


def bytes_moved(size, itemsize):
    return 2 * size**2 * itemsize, size**2 * itemsize


def flops(size):
    return 2 * size**3
