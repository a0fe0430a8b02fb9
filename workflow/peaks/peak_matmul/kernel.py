"""Rate of multiplications and additions: the product of two square matrices, out = a b.

The product takes 2 n**3 operations on 3 n**2 numbers. This rate limits kernels with many operations on little data.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Peak: matrix product",
    size="rows of the square matrices",
    sizes={"smoke": (256,), "default": (1024,), "lecture": (2048,)},
    sizes_gpu=(4096,),
    dtypes=("float64", "float32"),
    baseline="numpy_matmul",
    check_sizes=(64, 257),
)


def inputs(size, dtype, rng):
    """Return a, b: matrices of shape (size, size), elements independent and uniform in [-1, 1)."""
    return {name: rng.random((size, size), dtype=dtype) * 2 - 1 for name in ("a", "b")}


def outputs(size, dtype):
    return (Output("out", (size, size), dtype),)


def reference(a, b):
    """Return the product in float64, shape (size, size)."""
    return np.matmul(a, b, dtype=np.float64)


def tolerance(a, b, size, dtype):
    """Return an upper limit of the error bound 8 u sqrt(n) (|a| @ |b|) of each element of a @ b, where u = eps / 2.

    Consider an inner product of n terms, rounded at each step and added up in any order. Its error exceeds c u sqrt(n)
    |a| |b| with a probability of at most 2 exp(-c**2 / 2) (Higham and Mary, SIAM J. Sci. Comput. 41 (2019) A2815). For
    c = 8, the probability is 3e-14 for an element. For up to 64 terms, the bound is at least the worst case n u |a| @
    |b|.

    The function replaces each element of |a| @ |b| by the product of the 2-norms of row and column. This product is
    never less than the element (Cauchy-Schwarz). For these inputs, it is a third more, which covers the rounding of the
    float64 reference. The largest errors observed are 0.08 of the tolerance in float32, and 0.01 in float64.
    """
    unit = float(np.finfo(dtype).eps) / 2
    rows = np.sqrt((a.astype(np.float64) ** 2).sum(axis=1))
    columns = np.sqrt((b.astype(np.float64) ** 2).sum(axis=0))
    return 8 * unit * np.sqrt(size) * np.outer(rows, columns)


def bytes_moved(size, itemsize):
    return 2 * size**2 * itemsize, size**2 * itemsize


def flops(size):
    return 2 * size**3
