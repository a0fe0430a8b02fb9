"""Singular value decomposition of a square matrix: a = u diag(s) vt, with u and vt orthogonal, s in descending order.

Most methods first reduce the matrix to bidiagonal form. Half the work of this reduction is matrix-vector products,
which are bound by memory bandwidth. Then iterations (gesvd) or divide and conquer (gesdd) compute the singular values
and vectors, and matrix products transform the vectors back. A GPU is fast only at the matrix products. Most other steps
are small and depend on each other, so small matrices are faster on a CPU. Jacobi's method (gesvdj) rotates pairs of
columns until all columns are orthogonal. It takes many more operations, but these are independent of each other.

The lecture timed a first call, 5.72 s, and a call after warm-up, 368 ms. Here start-up is measured separately from the
calls.
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
    """Return the singular values in float64 for s, and zeros, the middle of the allowed range, for u and vt."""
    middle = np.broadcast_to(0.0, (size, size))
    return middle, np.linalg.svd(a.astype(np.float64), compute_uv=False), middle


def tolerance(expected, size, dtype):
    """Return the bounds: 4 (32 + size) (eps + float64's eps) s[0] for the singular values, 1 + 8 eps for u and vt.

    Float64's eps covers the error of the reference. Backward stable methods yield the exact singular values of a matrix
    a + E. No singular value of a + E differs from that of a by more than the spectral norm of E (Weyl). This norm is
    p(size) eps s[0], where p grows at least linearly (Demmel, Applied Numerical Linear Algebra, section 5.4). The
    largest observed errors depend on the method. In units of eps s[0], divide and conquer has errors of 9 at 300 rows
    and 18 at 600. QR iterations rotate all vectors repeatedly. Their errors are about size / 7: 8 at 31 rows, 38 at 300
    and 156 at 1000. Jacobi rotations stop at a threshold. Their errors are 145 at 130 rows and 1100 at 1000 in float32,
    and 1400 at 1000 in float64. Their vectors deviate from orthogonality by 210 eps at 97 rows in float32, and by 2500
    eps at 1000 in float64.

    Singular vectors may have either sign. Large matrices have singular values that are close together, and the vectors
    of such values are not unique. So this function only requires that the elements of u and vt are in [-1, 1], as in
    any orthogonal matrix. `error_metrics` tests u, s and vt together.
    """
    largest = float(expected[1].max(initial=0.0))
    elements = 1 + 8 * float(np.finfo(dtype).eps)
    return elements, backward_error(size, dtype) * largest, elements


def backward_error(size, dtype):
    """Return the allowed relative error in the spectral norm, which `tolerance` explains."""
    return 4 * (32 + size) * float(np.finfo(dtype).eps + np.finfo(np.float64).eps)


def error_metrics(u, s, vt, a, size, dtype):
    """Return how far u and vt deviate from orthogonality and u diag(s) vt deviates from a, each with its limit.

    Each deviation is |E x| / |x|, where E is a matrix that should be zero. x are eight random vectors of ones and minus
    ones, so that E x needs only products of a matrix and eight vectors.

    |E x| / |x| never exceeds the spectral norm of E, so it has the limit of `tolerance`. The mean of (|E x| / |x|)^2
    over random x is the sum of the squared elements of E, divided by `size`. So every wrong element contributes.
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
