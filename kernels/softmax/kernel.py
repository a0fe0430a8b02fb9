"""Compute the softmax of each row of a matrix: out[i, j] = exp(x[i, j]) / (exp(x[i, 0]) + ... + exp(x[i, m-1])).

The formula as written overflows if x is large, and divides 0 by 0 if all x are far below 0. So all implementations
subtract the row's maximum first: the result stays the same, and no exponent is positive. There are three passes over a
row: for the maximum, for the exponentials and their sum, and for the quotients. Array code takes five passes over the
whole matrix. Fused code keeps a row in a cache, in a block's registers or in shared memory from the first pass to the
last, so it reads and writes memory once.

Libraries use this kernel as an example of fusion, since neural networks spend much of their time in it.
"""

import math

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Softmax of rows",
    size="rows",
    sizes={"smoke": (10,), "default": (100, 10_000), "lecture": (10, 100, 1_000, 10_000)},
    sizes_gpu=(100_000,),
    dtypes=("float64", "float32"),
    baseline="numpy_blocked",
    baselines=("numpy_softmax",),
    options={"columns": 1000},
)
SAMPLE = 16  # approximate number of rows in the sample of `error_metrics`
OFFSETS = (0, 1000, -1000)  # added to rows in turn; exp overflows at 710 (float32: 89), and is 0 at -746 (-104)


def inputs(size, dtype, rng, columns):
    """Return x: a matrix of shape (size, columns) whose elements are independent and uniform in [-10, 10).

    Then 0, 1000 or -1000 is added to each row, in turn.
    """
    x = rng.random((size, columns), dtype=dtype)
    x *= 20
    x -= 10
    x += np.resize(OFFSETS, size).astype(dtype)[:, np.newaxis]
    return {"x": x}


def exact_inputs(size, dtype, rng, columns):
    """Return x: in each row, 2**k neighbouring elements are equal, and all other elements are smaller by 200.

    The softmax of the equal elements is exactly 2**-k, since the exponentials of the others are too small to change the
    sum. k and the first of the equal columns are random. The columns wrap around after the last.
    """
    begin, most = rng.integers(columns, size=(size, 1)), 2 ** rng.integers(int(columns).bit_length(), size=(size, 1))
    offsets = np.resize(OFFSETS, (size, 1))
    return {"x": (offsets - 200 * ((np.arange(columns) + begin) % columns >= most)).astype(dtype)}


def outputs(size, dtype, columns):
    return (Output("out", (size, columns), dtype),)


def reference(x):
    """Return the softmax of each row in float64, shape (size, columns)."""
    out = x.astype(np.float64)
    out -= out.max(axis=1, keepdims=True)
    np.exp(out, out=out)
    out /= out.sum(axis=1, keepdims=True)
    return out


def tolerance(expected, dtype, columns):
    """Return a relative tolerance of (28 + 4 sqrt(m / 3) + m / 100) eps for m columns, plus the smallest normal number.

    The smallest normal number allows results to be flushed to zero.

    28 eps: x - maximum is between -20 and 0. For x around 0, its rounding error is up to 8 eps, which becomes the
    relative error of the exponential. The exponential function adds up to 4 units in the last place in the vector
    libraries, and less elsewhere. Both errors occur in the numerator and, as all terms are positive, in the sum. The
    division, or a reciprocal and a product, adds at most 3 eps (in OpenCL's float32). The float64 reference adds half
    an eps of its own precision.

    4 sqrt(m / 3) eps: Let u = eps / 2. A balanced tree adds u ceil(log2(m)), and a left-to-right sum at most u (m - 1).
    Usually the error is far smaller, since rounding errors behave as mean-independent (Higham and Mary, SIAM J. Sci.
    Comput. 41 (2019) A2815). The error of a sum of positive terms exceeds c u sqrt(m / 3) only with a probability of
    2 exp(-c**2 / 2). Here c = 8.

    m / 100 eps: Left-to-right sums also drift. If partial sums have the spacing h, terms below h / 2 are lost, and
    terms that are rounded up do not compensate for this loss. The terms are e**-d for d uniform in [0, 20), so one term
    in 20 is in each unit of d. The loss per unit is h (1/2 - (1 - ln 2) / 2) = 0.35 h. At the k-th term, h is at most
    eps k / m of the whole sum, so all m terms lose up to 0.35 / 20 m / 2 = 0.009 m eps.
    """
    eps = float(np.finfo(dtype).eps)
    return (28 + 4 * math.sqrt(columns / 3) + columns / 100) * eps * expected + float(np.finfo(dtype).smallest_normal)


def exact_tolerance(expected, dtype):
    """Return a relative tolerance of 4 eps for the rounding error of the quotient. The sums are exact."""
    return 4 * float(np.finfo(dtype).eps) * expected + float(np.finfo(dtype).smallest_normal)


def error_metrics(out, expected, dtype):
    """Return the 0.9 quantile of the relative errors in a sample of rows, in eps, and the limit for it, 16.

    The error of a row's sum is the same factor in all elements of the row, so this function divides it out. With CPU
    implementations the quantile stays below 4.
    """
    some = slice(None, None, max(1, len(out) // SAMPLE))
    right = expected[some] > np.finfo(dtype).smallest_normal
    if not right.any():
        return {}
    ratios = np.where(right, out[some] / np.where(right, expected[some], 1), np.nan)
    ratios /= np.nanmedian(ratios, axis=1, keepdims=True)
    error = np.nanquantile(np.abs(ratios - 1), 0.9) / float(np.finfo(dtype).eps)
    return {"0.9 quantile of errors within rows": (error, 16)}


def bytes_moved(size, itemsize, columns):
    return size * columns * itemsize, size * columns * itemsize


def flops(size, columns):
    """Return the number of operations, five per element: maximum, difference, exp (counted as one), sum, quotient."""
    return 5 * size * columns
