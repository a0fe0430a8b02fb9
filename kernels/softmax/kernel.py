"""Softmax of a matrix's rows: out[i, j] = exp(x[i, j]) / (exp(x[i, 0]) + ... + exp(x[i, m-1])).

The formula as written overflows for large x, and divides 0 by 0 for small x. All implementations subtract the row's
maximum first: the result stays the same, and no exponent is positive. A row is read for its maximum, then for the
exponentials and their sum, then for the quotients. Array code takes five passes over the whole matrix. In fused code, a
row stays in a cache, a block's registers or shared memory from the first pass to the last, and memory is read and
written once.

Libraries explain fusion by this kernel, since neural networks spend much of their time in it.
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
SAMPLE = 16  # number of rows whose errors `error_metrics` sorts
OFFSETS = (0, 1000, -1000)  # added to rows in turn: exp overflows at 710 (float32: 89), and is 0 from -746 (-104) on


def inputs(size, dtype, rng, columns):
    """Return x: matrix of shape (size, columns), elements independent and uniform in [-10, 10).

    1000 is added in every third row and subtracted in the next.
    """
    x = rng.random((size, columns), dtype=dtype)
    x *= 20
    x -= 10
    x += np.resize(OFFSETS, size).astype(dtype)[:, np.newaxis]
    return {"x": x}


def exact_inputs(size, dtype, rng, columns):
    """Return x: in each row, 2**k neighbouring columns, cyclically, are equal and 200 above all others.

    Each of these has the quotient 2**-k exactly, since the exponentials of the others are too small to change the sum.
    k and the first column are random.
    """
    begin, most = rng.integers(columns, size=(size, 1)), 2 ** rng.integers(int(columns).bit_length(), size=(size, 1))
    offsets = np.resize(OFFSETS, (size, 1))
    return {"x": (offsets - 200 * ((np.arange(columns) + begin) % columns >= most)).astype(dtype)}


def outputs(size, dtype, columns):
    return (Output("out", (size, columns), dtype),)


def reference(x):
    """Return exp(x - maximum) / sum in float64 by rows, shape (size, columns)."""
    out = x.astype(np.float64)
    out -= out.max(axis=1, keepdims=True)
    np.exp(out, out=out)
    out /= out.sum(axis=1, keepdims=True)
    return out


def tolerance(expected, dtype, columns):
    """Return (28 + 4 sqrt(m / 3) + m / 100) eps, relative, for m columns, plus the smallest normal number.

    The smallest normal number is for results that may be flushed to zero.

    28 eps: x - maximum, 20 at most, has a rounding error of up to 8 eps for x around 0, which becomes the relative
    error of its exponential. The exponential function adds up to 4 units in the last place in the vector libraries, and
    less elsewhere. Both errors occur in the numerator and, as all terms are positive, in the sum. The quotient, or
    reciprocal and product, adds up to 3 eps (OpenCL's float32), and the float64 reference half an eps of its own
    precision.

    4 sqrt(m / 3) eps: Let u = eps / 2. A balanced tree adds u ceil(log2(m)), a left-to-right sum at worst u (m - 1).
    But rounding errors behave as mean-independent (Higham and Mary, SIAM J. Sci. Comput. 41 (2019) A2815), so the error
    of a sum of positive terms exceeds c u sqrt(m / 3) only with a probability of 2 exp(-c**2 / 2). Here c = 8.

    m / 100 eps: Left-to-right sums also drift. If partial sums have the spacing h, terms below h / 2 are lost, and
    terms that are rounded up do not compensate for them. The terms are e**-d for d uniform in [0, 20), one in 20 for
    each unit of d. The loss per unit is h (1/2 - (1 - ln 2) / 2) = 0.35 h. At the k-th term, h is at most eps k / m of
    the whole sum, so all m terms lose up to 0.35 / 20 m / 2 = 0.009 m eps.
    """
    eps = float(np.finfo(dtype).eps)
    return (28 + 4 * math.sqrt(columns / 3) + columns / 100) * eps * expected + float(np.finfo(dtype).smallest_normal)


def exact_tolerance(expected, dtype):
    """Return 4 eps, relative, for an incorrectly rounded quotient; sums are exact, as small terms are lost in them."""
    return 4 * float(np.finfo(dtype).eps) * expected + float(np.finfo(dtype).smallest_normal)


def error_metrics(out, expected, dtype):
    """Return the 0.9 quantile of the relative errors of a sample of rows, in eps, and its limit, 16.

    The error of a row's sum, a factor common to all elements of the row, is divided out. Implementations for processors
    stay below 4.
    """
    some = slice(None, None, max(1, len(out) // SAMPLE))
    right = expected[some] > np.finfo(dtype).smallest_normal
    if not right.any():
        return {}
    ratios = np.where(right, out[some] / np.where(right, expected[some], 1), np.nan)
    ratios /= np.nanmedian(ratios, axis=1, keepdims=True)
    error = np.nanquantile(np.abs(ratios - 1), 0.9) / float(np.finfo(dtype).eps)
    return {"nine in ten beside their rows' sums": (error, 16)}


def bytes_moved(size, itemsize, columns):
    return size * columns * itemsize, size * columns * itemsize


def flops(size, columns):
    """Return five operations per element: maximum, difference, exp (counted as one), sum, quotient."""
    return 5 * size * columns
