"""Singular value decomposition of a square matrix: a = u diag(s) vt, u and vt orthogonal, s descending.

Most methods begin by reducing the matrix to a bidiagonal one. Half of that work is products of a matrix and a vector,
which are bound by memory bandwidth. Then iterations (gesvd) or divide and conquer (gesdd) compute the singular values
and vectors, and matrix products transform the vectors back. A GPU is fast only at the matrix products. Most of the rest
is a chain of small steps, so small matrices are faster on a CPU. Jacobi's method (gesvdj) rotates pairs of columns
until all are orthogonal. It takes many more operations, but independent ones.

The lecture timed a first call, 5.72 s, and, after warm-up, 368 ms. Here start-up is always measured separately.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Singular value decomposition",
    size="rows of the square matrix",
    sizes={"smoke": (32,), "default": (100, 300), "lecture": (100, 300, 1000)},
    sizes_gpu=(2000, 4000),
    dtypes=("float64", "float32"),
    baseline="numpy_svd",
    lectures=("cupy101", "icsc23"),
    check_sizes=(130,),
    algorithms={
        "divide and conquer": "LAPACK's gesdd",
        "QR iterations": "gesvd",
    },
)


def inputs(size, dtype, rng):
    """Return a: a matrix of shape (size, size), elements independent and uniform in [-1, 1)."""
    return {"a": 2 * rng.random((size, size), dtype=dtype) - 1}


def outputs(size, dtype):
    return Output("u", (size, size), dtype), Output("s", (size,), dtype), Output("vt", (size, size), dtype)


def reference(a, size):
    """Return (0, s, 0): the singular values in float64; 0, the middle of the allowed range, for u and vt."""
    middle = np.broadcast_to(0.0, (size, size))
    return middle, np.linalg.svd(a.astype(np.float64), compute_uv=False), middle


def tolerance(expected, size, dtype):
    """Return 4 (32 + size) eps s[0] for the singular values, plus the reference's error, and 1 + 8 eps for the vectors.

    The reference's error has the same bound with float64's eps. Backward stable methods yield the exact singular values
    of a matrix a + E, and no singular value moves by more than the spectral norm of E (Weyl). That norm is p(size) eps
    s[0], where p grows at least linearly (Demmel, Applied Numerical Linear Algebra, section 5.4). The largest observed
    errors, in units of eps s[0], depend on the method. Divide and conquer: 9 at 300 rows, 18 at 600. QR iterations,
    which rotate all vectors repeatedly: 8 at 31, 38 at 300, 156 at 1000, about size / 7. Jacobi rotations, which stop
    at a threshold: 145 at 130 and 1100 at 1000 in float32, 1400 at 1000 in float64. The vectors of Jacobi rotations
    deviate from orthogonality by 210 eps at 97 rows in float32, and by 2500 eps at 1000 in float64.

    Singular vectors may have either sign. Vectors of close singular values, which large matrices have, may be rotated
    among each other. So the elements of u and vt only need to be in [-1, 1], as those of orthogonal matrices are;
    `error_metrics` tests u, s and vt together.
    """
    largest = float(expected[1].max(initial=0.0))
    elements = 1 + 8 * float(np.finfo(dtype).eps)
    return elements, backward_error(size, dtype) * largest, elements


def backward_error(size, dtype):
    """Return the relative error allowed, in the spectral norm: see `tolerance`."""
    return 4 * (32 + size) * float(np.finfo(dtype).eps + np.finfo(np.float64).eps)


def error_metrics(u, s, vt, a, size, dtype):
    """Return the deviations of u and vt from orthogonality, and of u diag(s) vt from a, with their limits.

    Each deviation is |E x| / |x|, for a matrix E that should be zero and eight random vectors x of ones and minus ones.
    To compute E x takes only products of a matrix and eight vectors.

    |E x| / |x| never exceeds the spectral norm of E, so the limit is that of `tolerance`. Over such x, the mean of
    (|E x| / |x|)^2 is the sum of the squared elements of E, divided by `size`. So every wrong element contributes.
    """
    x = np.random.default_rng(size).choice([-1.0, 1.0], (size, 8))
    length = max(np.linalg.norm(x), 1.0)
    allowed, largest = backward_error(size, dtype), float(np.max(s, initial=0.0))
    return {
        "u'u - 1": (np.linalg.norm(u.T @ (u @ x) - x) / length, allowed),
        "vt vt' - 1": (np.linalg.norm(vt @ (vt.T @ x) - x) / length, allowed),
        "u diag(s) vt - a": (np.linalg.norm(u @ (s[:, None] * (vt @ x)) - a @ x) / length, allowed * largest),
    }


def bytes_moved(size, itemsize):
    return size**2 * itemsize, (2 * size**2 + size) * itemsize


def flops(size):
    """Return 8/3 n**3 for the reduction to a bidiagonal matrix, and 2 n**3 for each back-transformation of vectors.

    The operations in between depend on the method and on the matrix. Source: Golub and Van Loan, Matrix Computations,
    4th edition, sections 5.4.8 and 5.1.6.
    """
    return 20 * size**3 // 3
